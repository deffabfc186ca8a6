//! Where the papers mislead, one example each; and what a domain must be exact about.

use strata_domain::{
    Aim, Apply, ByteSet, Domain, Image, Interval, MultiInterval, Precision, Shifted, Strided, StridedSet,
};
use strata_term::Op;

fn intervals(width: u32, parts: &[(u64, u64)]) -> MultiInterval {
    let parts: Vec<Interval> = parts.iter().map(|&(lo, hi)| Interval { lo, hi }).collect();
    MultiInterval::of_intervals(width, &parts, Aim::Above).set
}

fn strided(width: u32, lo: u64, hi: u64, stride: u64) -> StridedSet {
    StridedSet::one(width, Strided::new(width, lo, hi, stride))
}

fn forward<D: Domain>(op: Op, width: u32, x: &[&D]) -> Image<D> {
    D::forward(&Apply::new(op, width), x, Aim::Above).expect("an image")
}

fn backward<D: Domain>(op: Op, result: &D, x: &[&D]) -> Image<D> {
    D::backward(&Apply::new(op, result.width()), result, 0, x, Aim::Above).expect("a preimage")
}

fn values<D: Domain>(image: &Image<D>) -> Vec<u64> {
    assert_eq!(image.precision, Precision::Exact, "{image:?}");
    (0..1 << image.set.width()).filter(|value| image.set.contains(*value)).collect()
}

#[test]
fn a_downcast_wraps() {
    let image = forward(Op::Extract, 4, &[&intervals(8, &[(16, 20)])]);
    assert_eq!(image, Image::exact(intervals(4, &[(0, 4)])));
}

#[test]
fn the_shift_attribute_wraps() {
    let product = forward(Op::Mul, 8, &[&Shifted::from(intervals(8, &[(200, 210)])), &Shifted::constant(8, 2)]);
    assert_eq!(values(&product), (200..=210).map(|x| x * 2 % 256).collect::<Vec<_>>());
    assert_eq!(product.set.shift(), 1);
}

#[test]
fn nothing_is_below_zero() {
    let zero = MultiInterval::constant(8, 0);
    assert!(backward(Op::Ult, &MultiInterval::constant(1, 1), &[&MultiInterval::full(8), &zero]).set.is_empty());
}

#[test]
fn a_product_is_inverted_by_its_preimage() {
    for c in 0..256 {
        for (lo, hi) in [(0, 0), (3, 17), (100, 180), (250, 255)] {
            let factor = MultiInterval::constant(8, c);
            let image = backward(Op::Mul, &intervals(8, &[(lo, hi)]), &[&MultiInterval::full(8), &factor]);
            let truth: Vec<u64> = (0..256).filter(|x| (lo..=hi).contains(&(x * c % 256))).collect();
            match image.precision {
                Precision::Exact => assert_eq!(values(&image), truth),
                Precision::Above => assert!(truth.iter().all(|x| image.set.contains(*x))),
                Precision::Below => panic!("{image:?}"),
            }
        }
    }
}

#[test]
fn an_equation_with_a_product_is_one_residue() {
    let (four, k) = (StridedSet::constant(64, 4), StridedSet::constant(64, 12));
    let image = backward(Op::Mul, &four, &[&StridedSet::full(64), &k]);
    assert!(image.is_exact());
    assert_eq!(image.set.members().len(), 1);
    assert_eq!(image.set.size(), 4);
    image.set.each(&mut |x| {
        assert_eq!(x.wrapping_mul(12), 4);
        true
    });
}

#[test]
fn a_sum_that_overflows_is_a_residue_class() {
    let image = forward(Op::Add, 3, &[&strided(3, 0, 1, 1), &strided(3, 0, 7, 1)]);
    assert_eq!(values(&image), (0..8).collect::<Vec<_>>());
    let image = forward(Op::Add, 8, &[&strided(8, 0, 252, 4), &strided(8, 0, 254, 2)]);
    assert_eq!(values(&image), (0..256).step_by(2).collect::<Vec<_>>());
}

#[test]
fn a_quotient_keeps_no_false_stride() {
    let image = forward(Op::UDiv, 8, &[&strided(8, 0, 10, 5), &StridedSet::constant(8, 2)]);
    assert_eq!(values(&image), [0, 2, 5]);
}

#[test]
fn a_product_by_a_negative_number() {
    let image = forward(Op::Mul, 8, &[&strided(8, 1, 9, 2), &StridedSet::constant(8, 253)]);
    assert_eq!(values(&image), [229, 235, 241, 247, 253]);
    assert_eq!(image.set.members().len(), 1);
}

#[test]
fn a_comparison_keeps_the_residue() {
    let ten = StridedSet::constant(8, 10);
    let image = backward(Op::Ult, &StridedSet::constant(1, 0), &[&strided(8, 3, 27, 4), &ten]);
    assert_eq!(values(&image), [11, 15, 19, 23, 27]);
}

#[test]
fn the_example_of_strided_intervals() {
    let (x, two, thirty) = (strided(64, 10, 20, 1), StridedSet::constant(64, 2), StridedSet::constant(64, 30));
    let y = forward(Op::Mul, 64, &[&x, &two]);
    assert_eq!(y, Image::exact(strided(64, 20, 40, 2)));
    let low = backward(Op::Ult, &StridedSet::constant(1, 1), &[&y.set, &thirty]);
    assert_eq!(low, Image::exact(strided(64, 20, 28, 2)));
    assert_eq!(backward(Op::Mul, &low.set, &[&x, &two]), Image::exact(strided(64, 10, 14, 1)));
}

#[test]
fn signed_order_is_a_rotation() {
    let set = intervals(8, &[(3, 10), (250, 255)]);
    assert_eq!((set.least_signed(), set.greatest_signed()), (Some(250), Some(10)));
    assert_eq!(set.rotated(128), intervals(8, &[(122, 127), (131, 138)]));
}

#[test]
fn bytes_and_intervals_are_the_same_sets() {
    let digit = ByteSet::of(|byte| byte.is_ascii_alphanumeric());
    assert_eq!(digit.to_intervals(), intervals(8, &[(48, 57), (65, 90), (97, 122)]));
    assert_eq!(ByteSet::of_intervals(&digit.to_intervals()), Some(digit));
    assert_eq!(digit.iter().count(), 62);
}

#[test]
fn too_many_intervals_widen_or_are_dropped() {
    let odd: Vec<u64> = (0..10_000).map(|i| 2 * i + 1).collect();
    let above = MultiInterval::of_points(64, &odd, Aim::Above);
    assert_eq!(above.precision, Precision::Above);
    assert!(odd.iter().all(|value| above.set.contains(*value)));
    let below = MultiInterval::of_points(64, &odd, Aim::Below);
    assert_eq!(below.precision, Precision::Below);
    assert!((0..20_000).all(|value| !below.set.contains(value) || value % 2 == 1));
    assert_eq!(above.set.intervals().len(), below.set.intervals().len());
}

#[test]
fn a_set_is_small() {
    assert!(size_of::<MultiInterval>() <= 64 && size_of::<StridedSet>() <= 64 && size_of::<Shifted>() <= 72);
}
