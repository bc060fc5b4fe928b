//! The data of the tests, and when two figures are equal. `tests/statistics.py` reads the arrays from here.

use super::Tested;

/// Hollander and Wolfe 1973, 69, by R's `wilcox.test`: permeability of a membrane, without ties.
pub const PERMEABILITY_TERM: [f64; 10] = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
pub const PERMEABILITY_EARLY: [f64; 5] = [1.15, 0.88, 0.90, 0.74, 1.21];

/// Hollander and Wolfe 1973, 116, by R's `kruskal.test`: clearance of dust.
pub const CLEARANCE_NORMAL: [f64; 5] = [2.9, 3.0, 2.5, 2.6, 3.2];
pub const CLEARANCE_OBSTRUCTED: [f64; 4] = [3.8, 2.7, 4.0, 2.4];
pub const CLEARANCE_ASBESTOSIS: [f64; 5] = [2.8, 3.4, 3.7, 2.2, 2.0];

/// Hollander and Wolfe 1973, 29, by R's `wilcox.test`: a scale of depression before and after, the differences.
pub const DEPRESSION: [f64; 9] = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01];

/// Darwin 1876, by SciPy's `wilcoxon`: heights of cross- and self-fertilised maize, the differences.
pub const MAIZE: [f64; 15] = [6.0, 8.0, 14.0, 16.0, 23.0, 24.0, 28.0, 29.0, 41.0, -48.0, 49.0, 56.0, 60.0, -67.0, 75.0];

/// Beall 1942, R's `InsectSprays`: insects left, with many ties.
pub const SPRAY_A: [f64; 12] = [10.0, 7.0, 20.0, 14.0, 14.0, 12.0, 10.0, 23.0, 17.0, 20.0, 14.0, 13.0];
pub const SPRAY_B: [f64; 12] = [11.0, 17.0, 21.0, 11.0, 16.0, 14.0, 17.0, 17.0, 19.0, 21.0, 7.0, 13.0];
pub const SPRAY_C: [f64; 12] = [0.0, 1.0, 7.0, 2.0, 3.0, 1.0, 2.0, 1.0, 3.0, 0.0, 1.0, 4.0];
pub const SPRAY_D: [f64; 12] = [3.0, 5.0, 12.0, 6.0, 4.0, 3.0, 5.0, 5.0, 5.0, 5.0, 2.0, 4.0];
pub const SPRAY_E: [f64; 12] = [3.0, 5.0, 3.0, 5.0, 3.0, 6.0, 1.0, 1.0, 3.0, 2.0, 6.0, 4.0];
pub const SPRAY_F: [f64; 12] = [11.0, 9.0, 15.0, 22.0, 15.0, 16.0, 13.0, 10.0, 26.0, 26.0, 24.0, 13.0];

/// Made up: lengths of trails, with ties, and times, without.
pub const TRAILS_A: [f64; 30] = [
    80.0, 78.0, 62.0, 71.0, 52.0, 79.0, 63.0, 69.0, 67.0, 66.0, 68.0, 70.0, 55.0, 60.0, 65.0, 68.0, 63.0, 76.0, 61.0,
    80.0, 72.0, 66.0, 54.0, 70.0, 57.0, 79.0, 57.0, 66.0, 80.0, 66.0,
];
pub const TRAILS_B: [f64; 30] = [
    65.0, 81.0, 71.0, 54.0, 81.0, 71.0, 59.0, 58.0, 71.0, 72.0, 65.0, 58.0, 62.0, 69.0, 76.0, 72.0, 58.0, 62.0, 70.0,
    55.0, 64.0, 57.0, 61.0, 67.0, 63.0, 63.0, 54.0, 63.0, 64.0, 78.0,
];
pub const TIMES_A: [f64; 30] = [
    837.77, 485.16, 1495.76, 1046.74, 608.33, 846.14, 274.74, 1465.34, 565.19, 1214.37, 753.09, 604.35, 2104.88,
    1948.42, 634.6, 1652.43, 1350.6, 1850.1, 1354.34, 539.09, 589.59, 1471.05, 805.89, 1989.96, 739.87, 693.17, 334.94,
    748.93, 1112.45, 394.34,
];
pub const TIMES_B: [f64; 30] = [
    605.63, 673.44, 662.65, 1150.84, 473.74, 1149.0, 1229.46, 452.0, 528.48, 730.13, 344.42, 1071.89, 701.89, 766.2,
    1566.32, 538.69, 241.25, 839.89, 598.7, 406.76, 532.47, 946.14, 1046.75, 1066.69, 786.92, 990.15, 383.04, 1139.71,
    997.4, 810.4,
];
pub const TIMES_C: [f64; 8] = [411.8, 319.5, 712.4, 507.7, 611.9, 814.5, 310.6, 1007.3];

/// Fifty distances of different sizes.
pub const FIFTY: [f64; 50] = [
    11.0, 30.0, 19.0, -15.0, -43.0, 22.0, -24.0, 26.0, -20.0, 25.0, -47.0, 49.0, -32.0, -9.0, -3.0, 36.0, -28.0, 44.0,
    29.0, -5.0, 31.0, 37.0, -17.0, -34.0, -12.0, 18.0, -16.0, 2.0, -4.0, -38.0, 7.0, -48.0, 14.0, 41.0, 46.0, -13.0,
    40.0, 8.0, -6.0, 27.0, -42.0, 1.0, 23.0, 35.0, 21.0, 45.0, 10.0, -39.0, -33.0, -50.0,
];

/// Equal up to what is recorded of a figure.
#[track_caller]
pub fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1e-3), "{found} is not {expected}");
}

#[track_caller]
pub fn check(tested: Tested, statistic: f64, p: f64) {
    let Tested::P { statistic: found, p: found_p } = tested else { panic!("{tested:?} is no p-value") };
    assert_near(found, statistic);
    // small p-values too are to be right, not just small
    assert!((found_p - p).abs() <= 1e-8 * p, "{found_p} is not {p}");
}
