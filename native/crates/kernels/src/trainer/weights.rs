use super::real::Real;

/// The numbers that are trained, or as many numbers about them: gradients, moments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights<R> {
    /// P, `d_r` × `d_z`, row by row.
    pub projection: Vec<R>,
    /// Z, N × `d_z`, rows of length 1.
    pub embeddings: Vec<R>,
    /// The symmetric M for sets of two, of three, …; or one for all sizes, or none. Each `d_z` × `d_z`.
    pub interactions: Vec<R>,
    /// `c_1` … `c_M`.
    pub offsets: Vec<f64>,
    /// One weight a channel of features.
    pub features: Vec<f64>,
}

impl<R: Real> Weights<R> {
    /// As many zeros.
    pub(super) fn zeros_like(other: &Self) -> Self {
        Self {
            projection: vec![R::ZERO; other.projection.len()],
            embeddings: vec![R::ZERO; other.embeddings.len()],
            interactions: vec![R::ZERO; other.interactions.len()],
            offsets: vec![0.0; other.offsets.len()],
            features: vec![0.0; other.features.len()],
        }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.projection.copy_from_slice(&other.projection);
        self.embeddings.copy_from_slice(&other.embeddings);
        self.interactions.copy_from_slice(&other.interactions);
        self.offsets.copy_from_slice(&other.offsets);
        self.features.copy_from_slice(&other.features);
    }

    pub(super) fn clear(&mut self) {
        self.projection.fill(R::ZERO);
        self.embeddings.fill(R::ZERO);
        self.interactions.fill(R::ZERO);
        self.offsets.fill(0.0);
        self.features.fill(0.0);
    }

    pub(super) fn bytes(&self) -> usize {
        (self.projection.capacity() + self.embeddings.capacity() + self.interactions.capacity()) * size_of::<R>()
            + (self.offsets.capacity() + self.features.capacity()) * size_of::<f64>()
    }
}
