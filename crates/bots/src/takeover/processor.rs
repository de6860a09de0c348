//! The same work with whatever vector instructions the processor has.

/// Number crunching that compilers vectorize.
pub(super) trait Kernel {
    type Output;

    /// Does the work; `IS_WIDE` if vectors have 32 bytes rather than 16. It has to be
    /// inlined into where it is called, so `#[inline(always)]` belongs on it and on all
    /// it calls.
    fn run<const IS_WIDE: bool>(self) -> Self::Output;
}

/// What this processor can do. Programs are compiled for all that the platform stands
/// for, and many processors can do more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Processor {
    #[cfg(target_arch = "x86_64")]
    arch: pulp::Arch,
}

impl Processor {
    pub(super) fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            arch: pulp::Arch::new(),
        }
    }

    /// Runs `kernel` with the widest instructions there are.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.arch.dispatch(Vectorized(kernel))
    }

    /// Runs `kernel`.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run::<false>()
    }
}

#[cfg(target_arch = "x86_64")]
struct Vectorized<K>(K);

#[cfg(target_arch = "x86_64")]
impl<K: Kernel> pulp::WithSimd for Vectorized<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> K::Output {
        if size_of::<S::u8s>() >= 32 {
            self.0.run::<true>()
        } else {
            self.0.run::<false>()
        }
    }
}
