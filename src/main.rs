use ciclon::bits::*; use ciclon::playout::random::*; use ciclon::havannah::*; use ciclon::rng::Rng;
struct Run<'a, B: Base>(&'a mut Scratch<B>, &'a Start<B>, &'a mut Rng, usize, usize, [u64;5], u32, usize);
impl<'a,B:Base> Kernel for Run<'a,B> { type Output=[u64;5];
 #[inline(always)] fn run(mut self)->[u64;5] { for _ in 0..self.4 { let p = self.0.play(self.1, self.3, self.7, self.6, self.2); self.5[0]+=p.length as u64; match p.wins.kind() { Some(WinKind::Fork)=>self.5[1]+=1, Some(WinKind::Bridge)=>self.5[2]+=1, Some(WinKind::Ring)=>self.5[3]+=1, None=>{} }; if p.winner==Some(Colour::White) {self.5[4]+=1;} } self.5 } }
struct Floor<'a, B: Base>(&'a mut Scratch<B>, &'a Start<B>, &'a mut Rng, usize, usize);
impl<'a,B:Base> Kernel for Floor<'a,B> { type Output=u64;
 #[inline(always)] fn run(self)->u64 { let mut s=0; for _ in 0..self.4 { s+=self.0.floor(self.1, self.3, self.2);} s } }
fn go<B: Base>(chunk: usize, isa: Isa) { let a: Vec<String> = std::env::args().collect(); let chunk: usize = a.get(2).map_or(chunk, |x| x.parse().unwrap()); let block: usize = a.get(3).map_or(32, |x| x.parse().unwrap());
  let board = Board::<B>::new(); let start = Start::new(&board); let mut s = Scratch::new(); let mut rng = Rng::new(1);
  let n = 100000; let mut best = f64::MAX; let mut st=[0;5]; let mut fl = f64::MAX;
  for ph in 0..3 { let mut b=f64::MAX; for _ in 0..5 { let t = std::time::Instant::now(); st = isa.run(Run(&mut s,&start,&mut rng,chunk,n,[0;5],ph,block)); b = b.min(t.elapsed().as_secs_f64()); } print!("phase {ph}: {:.1} ns/game ", b*1e9/n as f64); }  for _ in 0..5 { let t = std::time::Instant::now(); st = isa.run(Run(&mut s,&start,&mut rng,chunk,n,[0;5],9,block)); best = best.min(t.elapsed().as_secs_f64());
   let plies = (st[0] as usize / n) & !1;
   let t = std::time::Instant::now(); let x = isa.run(Floor(&mut s,&start,&mut rng,plies,n)); let e = t.elapsed().as_secs_f64()/(plies as f64)*(st[0] as f64/n as f64); std::hint::black_box(x); fl=fl.min(e); }
  println!("base {} chunk {chunk} block {block} {isa}: {:.3} M/s  {:.2} ns/move floor {:.2} ratio {:.2} len {:.2} {:?}", B::SIZE, n as f64/best/1e6, best*1e9/st[0] as f64, fl*1e9/st[0] as f64, best/fl, st[0] as f64/n as f64, st);
}
fn main(){ let a: Vec<String> = std::env::args().collect(); let isa = Isa::best(); match a[1].as_str() { "4"=>go::<Size<4>>(34,isa), "5"=>go::<Size<5>>(54,isa), "6"=>go::<Size<6>>(80,isa), "8"=>go::<Size<8>>(130,isa), _=>go::<Size<10>>(190,isa) } }
