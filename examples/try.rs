use ciclon::{bits::Isa, engine::Engine, havannah::*, params::Params, search::*, playout::*, rng::Rng};
use std::sync::atomic::AtomicBool;
use std::time::*;
fn go<B: Base>() {
    let isa = Isa::best();
    let mut sim = Simulator::<B>::new();
    for (policy, presets) in [(Policy::Random, vec!["flat","uct","rave130"]), (Policy::mate::<B>(), vec!["rave"])] {
        let start = Start::new(&Board::<B>::new(), policy);
        let mut rng = Rng::new(1);
        let rate = |sim: &mut Simulator<B>, rng: &mut Rng| { let b = Instant::now(); let mut n=0u64; while b.elapsed().as_secs_f64() < 0.5 { for _ in 0..100 { sim.run(isa,&start,rng);} n+=100; } n as f64 / b.elapsed().as_secs_f64() };
        for p in presets { if let Ok(o) = std::env::var("ONLY") { if o != p { continue; } }
            let mut params = Params::preset(p).unwrap();
            for a in std::env::args().skip(2) { params.assign(&a).unwrap(); }
            let mut e = Engine::<BoardPlayouts<B>>::havannah(isa, &params);
            let r0 = rate(&mut sim, &mut rng);
            e.search_mut().stopwatch().switch_on();
            let rep = e.analyze(&Limits{time: Some(Duration::from_millis(1500)), ..Limits::default()}, &AtomicBool::new(false), |_| {});
            let r1 = rate(&mut sim, &mut rng);
            let sh = e.search_mut().stopwatch().shares();
            println!("base {} {p}: {:.0}/s, ratio {:.2} of {:.0}; shares {:.2?}; nodes {} depth {} bytes {}MB blocks {} best {:?} mean depth {:.1}", B::SIZE, rep.per_second, rep.per_second*2.0/(r0+r1), r0, sh, rep.nodes, rep.depth, rep.bytes>>20, e.search().tree().counts().blocks, rep.best, e.search().total as f64 / rep.playouts as f64);
        }
    }
}
fn main() {
    let s = std::env::args().nth(1).unwrap();
    for c in s.split(',') { match c { "4" => go::<Size<4>>(), "5" => go::<Size<5>>(), "6" => go::<Size<6>>(), "8" => go::<Size<8>>(), "10" => go::<Size<10>>(), _ => {} } }
}
