//! Every search: what it can do, its parameters, and where it comes from.

use super::Strategy;
use super::guide::Heuristic;
use super::swarm::breed;
use super::walk::settings::{MOST_GENES, Parameter, Settings, Value, parameter};

/// What a search can say about a property for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proves {
    /// That it holds, and that it does not.
    Both,
    /// That it does not hold.
    Violations,
}

/// The parameters of all searches that have any.
#[derive(Clone, Debug)]
pub struct Knobs {
    pub walks: Settings,
    /// Of the estimate in A*.
    pub weight: f64,
    /// Of the beam.
    pub width: u64,
    /// Of searches from artificial states.
    pub genetic: breed::Plan,
}

impl Default for Knobs {
    fn default() -> Knobs {
        Knobs { walks: Settings::default(), weight: 1.0, width: 1_000, genetic: breed::Plan::default() }
    }
}

impl Knobs {
    /// Those of one search.
    pub fn of(&mut self, strategy: Strategy) -> Vec<Parameter<'_>> {
        match strategy {
            Strategy::AStar => {
                vec![parameter(
                    "weight",
                    "of the estimate; 1 for shortest trails",
                    Value::Real(&mut self.weight, 0.0..=1e6),
                )]
            }
            Strategy::Beam => {
                vec![parameter("width", "states of a level", Value::Count(&mut self.width, 1..=100_000_000))]
            }
            Strategy::Aco => self.walks.ants(false),
            Strategy::AcoLive => self.walks.ants(true),
            Strategy::PathGa => self.walks.path_ga.parameters(),
            Strategy::Gega => self.walks.gega.parameters(),
            Strategy::RandomWalk => self.walks.random.parameters(),
            Strategy::SwarmGp | Strategy::CndfsGp => self.genetic.parameters(),
            _ => Vec::new(),
        }
    }

    /// What is within range one by one may still be too much together.
    pub fn check(&self, strategy: Strategy) -> Result<(), String> {
        let Settings { path_ga, gega, .. } = &self.walks;
        let (what, number, length) = match strategy {
            Strategy::PathGa => ("population × depth", path_ga.population, path_ga.depth),
            Strategy::Gega => ("population × length", gega.population, gega.length),
            _ => return Ok(()),
        };
        match number.saturating_mul(length) {
            0..=MOST_GENES => Ok(()),
            product => Err(format!("{what} is {product}, and at most {MOST_GENES} genes can be kept")),
        }
    }
}

impl Strategy {
    pub const ALL: [Strategy; 20] = [
        Strategy::Auto,
        Strategy::Bfs,
        Strategy::Dfs,
        Strategy::Ndfs,
        Strategy::Indfs,
        Strategy::Scc,
        Strategy::AStar,
        Strategy::IdaStar,
        Strategy::BestFirst,
        Strategy::Beam,
        Strategy::Aco,
        Strategy::AcoLive,
        Strategy::PathGa,
        Strategy::Gega,
        Strategy::RandomWalk,
        Strategy::Pbfs,
        Strategy::Swarm,
        Strategy::SwarmGp,
        Strategy::Cndfs,
        Strategy::CndfsGp,
    ];

    /// It depends on chance.
    pub fn is_walk(self) -> bool {
        use Strategy::*;
        matches!(self, Aco | AcoLive | PathGa | Gega | RandomWalk)
    }

    /// It goes on round by round, and gets better.
    pub fn has_rounds(self) -> bool {
        self.is_walk() && self != Strategy::RandomWalk
    }

    /// Many threads search together.
    pub fn is_parallel(self) -> bool {
        matches!(self, Strategy::Pbfs | Strategy::Swarm | Strategy::Cndfs) || self.is_genetic()
    }

    /// Some threads begin at artificial states.
    pub fn is_genetic(self) -> bool {
        matches!(self, Strategy::SwarmGp | Strategy::CndfsGp)
    }

    /// It looks at the most promising states first.
    pub fn is_directed(self) -> bool {
        matches!(self, Strategy::AStar | Strategy::IdaStar | Strategy::BestFirst | Strategy::Beam)
    }

    /// One thread searches, and stores every state it comes to.
    pub fn stores_alone(self) -> bool {
        !self.is_walk() && !self.is_parallel() && !matches!(self, Strategy::Auto | Strategy::IdaStar)
    }

    /// It finds cycles.
    pub fn finds_cycles(self) -> bool {
        use Strategy::*;
        matches!(self, Auto | Ndfs | Indfs | Scc | AcoLive | Gega | RandomWalk | Cndfs | CndfsGp)
    }

    /// It finds violations that show in a state.
    pub fn finds_states(self) -> bool {
        use Strategy::*;
        !matches!(self, Ndfs | Indfs | Scc | AcoLive | Cndfs | CndfsGp)
    }

    /// The heuristics that it can use, besides those for ways back.
    pub fn heuristics(self) -> Vec<Heuristic> {
        let of_states =
            Heuristic::ALL.into_iter().filter(|heuristic| !heuristic.needs_walk() && !heuristic.needs_target());
        match self {
            Strategy::PathGa => vec![Heuristic::Enabled, Heuristic::Messages, Heuristic::Assertions],
            Strategy::Gega => of_states.chain([Heuristic::Blocked]).collect(),
            Strategy::Aco | Strategy::AcoLive => of_states.collect(),
            _ if self.is_directed() => of_states.collect(),
            _ => Vec::new(),
        }
    }

    pub fn proves(self) -> Proves {
        if self.is_walk() || self == Strategy::Beam { Proves::Violations } else { Proves::Both }
    }

    /// In one line.
    pub fn summary(self) -> &'static str {
        match self {
            Strategy::Auto => {
                "an exhaustive search, on all cores where there is much to search, and beside it ants, genes and a depth-first search: who is first"
            }
            Strategy::Bfs => "breadth first, with shortest trails",
            Strategy::Dfs => "depth first, in pan's order",
            Strategy::Ndfs => "nested depth-first search for cycles",
            Strategy::Indfs => "the same, with the classes of the claim's components",
            Strategy::Scc => "cycles by strongly connected components",
            Strategy::AStar => "A*: steps so far and estimate together",
            Strategy::IdaStar => "A* by iterative deepening, without a memory of visited states",
            Strategy::BestFirst => "the state with the least estimate first",
            Strategy::Beam => "best first, level by level, with room for some states of each",
            Strategy::Aco => "ants (ACOhg) for violations that show in a state",
            Strategy::AcoLive => "ants (ACOhg-live) for cycles",
            Strategy::PathGa => "a genetic algorithm on paths of bits",
            Strategy::Gega => "a genetic algorithm on paths that grow and shrink, with a memory operator",
            Strategy::RandomWalk => "random walks",
            Strategy::Pbfs => "breadth first, by many threads, with shortest trails",
            Strategy::Swarm => "depth first, by many threads in different orders",
            Strategy::SwarmGp => "the same, and some threads start at states that were bred from others",
            Strategy::Cndfs => "nested depth-first search for cycles, by many threads in different orders",
            Strategy::CndfsGp => "the same, and some threads hunt from states that were bred from others",
        }
    }

    /// Where it comes from.
    pub fn paper(self) -> &'static str {
        match self {
            Strategy::Auto | Strategy::Bfs | Strategy::Pbfs | Strategy::Dfs | Strategy::RandomWalk => "",
            Strategy::Ndfs => "Holzmann, Peled, Yannakakis 1996; Schwoon, Esparza 2005",
            Strategy::Indfs => "Edelkamp, Lluch Lafuente, Leue 2001",
            Strategy::Scc => "Couvreur 1999; Gabow 2000",
            Strategy::AStar | Strategy::BestFirst | Strategy::Beam => "Edelkamp, Lluch Lafuente, Leue 2001",
            Strategy::IdaStar => "Korf 1985; Edelkamp, Lluch Lafuente, Leue 2001",
            Strategy::Aco => "Alba, Chicano 2007",
            Strategy::AcoLive => "Chicano, Alba 2008",
            Strategy::PathGa => "Godefroid, Khurshid 2004",
            Strategy::Gega => "Alba, Chicano, Ferreira, Gómez-Pulido 2008",
            Strategy::Swarm | Strategy::SwarmGp => "Renault 2020",
            Strategy::Cndfs => "Evangelista, Laarman, Petrucci, van de Pol 2012",
            Strategy::CndfsGp => "Evangelista, Laarman, Petrucci, van de Pol 2012; Renault 2020",
        }
    }
}
