//! The parts of a score: values and exploration terms, for eight children at once.
//!
//! In the formulas `v` is the win rate, `v'` the RAVE rate, `n` and `n'` their visits, `w` and `w'`
//! their points (two for a win), `N` the visits of the parent, `R` the RAVE weight, `K` the exploration
//! weight.

use crate::bits::lanes::Lanes;

/// The counts of eight children.
pub struct Counts<L: Lanes> {
    pub visits: L::Ints,
    pub wins: L::Floats,
    pub rave_visits: L::Ints,
    pub rave_points: L::Floats,
}

impl<L: Lanes> Counts<L> {
    /// Visits, but at least one: for divisions.
    #[inline(always)]
    fn shares(&self) -> L::Floats {
        L::to_floats(L::max_ints(self.visits, L::ints(1)))
    }

    #[inline(always)]
    fn rave_shares(&self) -> L::Floats {
        L::to_floats(L::max_ints(self.rave_visits, L::ints(1)))
    }
}

#[inline(always)]
fn twice<L: Lanes>(floats: L::Floats) -> L::Floats {
    L::add(floats, floats)
}

/// Eight fractions. A division costs as much as the rest of a score, so there is only one, at the end.
pub struct Fractions<L: Lanes> {
    pub above: L::Floats,
    pub below: L::Floats,
}

impl<L: Lanes> Fractions<L> {
    #[inline(always)]
    fn whole(above: L::Floats) -> Self {
        Self { above, below: L::floats(1.0) }
    }

    /// The others where the mask is set, otherwise these.
    #[inline(always)]
    fn or(self, mask: L::Mask, others: Self) -> Self {
        Self {
            above: L::either(mask, others.above, self.above),
            below: L::either(mask, others.below, self.below),
        }
    }

    /// The number where the mask is set, otherwise these.
    #[inline(always)]
    fn unless(self, mask: L::Mask, number: f32) -> Self {
        Self {
            above: L::either(mask, L::floats(number), self.above),
            below: L::either(mask, L::floats(1.0), self.below),
        }
    }
}

/// A part of the scores of children. It never divides by zero.
pub trait Term: Copy {
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L>;

    /// The sum of `others` and this part.
    #[inline(always)]
    fn added_to<L: Lanes>(self, others: Fractions<L>, counts: &Counts<L>) -> Fractions<L> {
        // a / b + c / d = (a d + c b) / b d.
        let own = self.of(counts);
        Fractions {
            above: L::add(L::mul(others.above, own.below), L::mul(own.above, others.below)),
            below: L::mul(others.below, own.below),
        }
    }
}

/// The win rate.
#[derive(Clone, Copy)]
pub struct Plain {
    pub first_play: f32,
}

impl Term for Plain {
    #[inline(always)]
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L> {
        let rates = Fractions { above: counts.wins, below: twice::<L>(counts.shares()) };
        rates.unless(L::less(counts.visits, L::ints(1)), self.first_play)
    }
}

/// `a v' + (1 - a) v` with `a = R / (R + n)`. Without RAVE visits it is `v` alone. (A child with visits
/// by playouts has RAVE visits, since its own move counts. A child with prior visits may have none.)
#[derive(Clone, Copy)]
pub struct Alpha {
    pub weight: f32,
    pub first_play: f32,
}

impl Term for Alpha {
    #[inline(always)]
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L> {
        // (w n' + R w') / (2 n' (R + n))
        let weight = L::floats(self.weight);
        let rave_shares = counts.rave_shares();
        let sum = L::max(L::add(weight, L::to_floats(counts.visits)), L::floats(SMALL));
        let value = Fractions {
            above: L::add(L::mul(counts.wins, rave_shares), L::mul(weight, counts.rave_points)),
            below: twice::<L>(L::mul(rave_shares, sum)),
        };
        value.or(
            L::less(counts.rave_visits, L::ints(1)),
            Plain { first_play: self.first_play }.of(counts),
        )
    }
}

/// `b v' + (1 - b) v` with `b = sqrt(R / (R + 3n))`.
#[derive(Clone, Copy)]
pub struct Beta {
    pub weight: f32,
    pub first_play: f32,
}

impl Term for Beta {
    #[inline(always)]
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L> {
        // With s = R + 3n and r = sqrt(R s), b is r / s. So the value is
        // ((s - r) w n' + r w' n) / (2 n n' s).
        let weight = L::floats(self.weight);
        let triple = L::mul(L::floats(3.0), L::to_floats(counts.visits));
        let sum = L::max(L::add(weight, triple), L::floats(SMALL));
        let root = L::sqrt(L::mul(weight, sum));
        let (visits, rave_shares) = (counts.shares(), counts.rave_shares());
        let own = L::mul(L::mul(L::sub(sum, root), counts.wins), rave_shares);
        let rave = L::mul(L::mul(root, counts.rave_points), visits);
        let value = Fractions {
            above: L::add(own, rave),
            below: L::mul(twice::<L>(L::mul(visits, rave_shares)), sum),
        };
        value.or(
            L::less(counts.rave_visits, L::ints(1)),
            Plain { first_play: self.first_play }.of(counts),
        )
    }
}

/// Keeps the denominator above zero where R and n are zero.
const SMALL: f32 = 1e-6;

/// Zero: random choice, or no exploration.
#[derive(Clone, Copy)]
pub struct Nothing;

impl Term for Nothing {
    #[inline(always)]
    fn of<L: Lanes>(self, _: &Counts<L>) -> Fractions<L> {
        Fractions::whole(L::floats(0.0))
    }

    #[inline(always)]
    fn added_to<L: Lanes>(self, others: Fractions<L>, _: &Counts<L>) -> Fractions<L> {
        others
    }
}

/// Minus the visits: children are selected in turn.
#[derive(Clone, Copy)]
pub struct LeastVisited;

impl Term for LeastVisited {
    #[inline(always)]
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L> {
        Fractions::whole(L::sub(L::floats(0.0), L::to_floats(counts.visits)))
    }
}

/// `K sqrt(ln N / n)`.
#[derive(Clone, Copy)]
pub struct Hoeffding {
    pub weight: f32,
    pub log: f32,
}

impl Term for Hoeffding {
    #[inline(always)]
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L> {
        // K sqrt(ln N n) / n
        let visits = counts.shares();
        let root = L::sqrt(L::mul(L::floats(self.log), visits));
        Fractions { above: L::mul(L::floats(self.weight), root), below: visits }
    }
}

/// `K (sqrt(2 v (1 - v) ln N / n) + 3 ln N / n)`, after Mnih et al. 2008.
#[derive(Clone, Copy)]
pub struct Bernstein {
    pub weight: f32,
    pub log: f32,
}

impl Term for Bernstein {
    #[inline(always)]
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L> {
        // With v = w / 2n: K (sqrt(w (2n - w) ln N / 2n) + 3 ln N) / n
        let (visits, log) = (counts.shares(), L::floats(self.log));
        let losses = L::max(L::sub(twice::<L>(visits), counts.wins), L::floats(0.0));
        let variance = L::div(L::mul(counts.wins, losses), twice::<L>(visits));
        let root = L::sqrt(L::mul(variance, log));
        let bound = L::add(root, L::mul(L::floats(3.0), log));
        Fractions { above: L::mul(L::floats(self.weight), bound), below: visits }
    }
}

/// `K P sqrt(N) / (1 + n)`: PUCT (Rosin 2011; Silver et al. 2017). The prior probability `P` is stored
/// in place of RAVE points.
#[derive(Clone, Copy)]
pub struct Puct {
    /// `K sqrt(N)`, in units of the prior.
    pub weight: f32,
}

impl Term for Puct {
    #[inline(always)]
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L> {
        let visits = L::to_floats(counts.visits);
        Fractions {
            above: L::mul(L::floats(self.weight), counts.rave_points),
            below: L::add(visits, L::floats(1.0)),
        }
    }
}

/// `K sqrt(ln N / n min(1/4, v (1 - v) + sqrt(2 ln N / n)))`: UCB1-Tuned (Auer, Cesa-Bianchi and Fischer
/// 2002). `v (1 - v)` replaces the variance of the points, which is smaller if there are draws.
#[derive(Clone, Copy)]
pub struct Tuned {
    pub weight: f32,
    pub log: f32,
}

impl Term for Tuned {
    #[inline(always)]
    fn of<L: Lanes>(self, counts: &Counts<L>) -> Fractions<L> {
        let visits = counts.shares();
        let share = L::div(L::floats(self.log), visits);
        let rate = L::div(counts.wins, twice::<L>(visits));
        let losses = L::max(L::sub(L::floats(1.0), rate), L::floats(0.0));
        let variance = L::add(L::mul(rate, losses), L::sqrt(twice::<L>(share)));
        // The minimum of two numbers, as the negative of the maximum of their negatives.
        let nothing = L::floats(0.0);
        let lesser = L::sub(nothing, L::max(L::sub(nothing, variance), L::floats(-0.25)));
        Fractions::whole(L::mul(L::floats(self.weight), L::sqrt(L::mul(share, lesser))))
    }
}
