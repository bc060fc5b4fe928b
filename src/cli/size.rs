//! Sizes such as `512M`.

/// Less than this is a missing unit.
const SMALLEST: u64 = 1 << 20;

pub fn parse(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err("a size is a whole number with a unit, such as 512M or 4G".into()),
    };
    let number =
        number.parse::<u64>().map_err(|_| "a size starts with a whole number, such as 512M or 4G".to_string())?;
    let bytes = number.checked_mul(1 << shift).ok_or_else(|| "this is more than there can be".to_string())?;
    if bytes < SMALLEST { Err("at least 1M is needed (is the unit missing?)".into()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn units() {
        let sizes = ["1048576", "2048k", "512M", "4G", "4gib", "1TB"].map(|text| parse(text).unwrap());
        assert_eq!(sizes, [1 << 20, 2 << 20, 512 << 20, 4 << 30, 4 << 30, 1 << 40]);
    }

    #[test]
    fn nonsense() {
        for text in ["", "M", "12", "1.5G", "-4G", "4 G", "4X", "0M", "99999999999T", "99999999999999999999999"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
