/**
 * The leading right singular vectors of rows (principal directions without centring), by the eigenvectors of rowsᵀ · rows: Householder's
 * tridiagonal form and the QL algorithm with implicit shifts (Bowdler, Martin, Reinsch and Wilkinson, "The QR and QL algorithms for symmetric
 * matrices", 1968; EISPACK's tred2 and tql2). Only +, −, ×, ÷ and square roots, so that every engine gives the same bits.
 */
export function leadingDirections(rows: Float32Array, dimensions: number, count: number): Float64Array {
  const matrix = gram(rows, dimensions);
  const { values, vectors } = symmetricEigen(matrix, dimensions);
  const order = Array.from(values.keys()).sort((a, b) => values[b]! - values[a]! || a - b);
  const directions = new Float64Array(dimensions * count);
  for (let column = 0; column < count; column += 1) {
    const from = order[column]!;
    for (let row = 0; row < dimensions; row += 1) {
      directions[row * count + column] = vectors[row * dimensions + from]!;
    }
  }
  return directions;
}

/** rowsᵀ · rows. */
function gram(rows: Float32Array, dimensions: number): Float64Array {
  const matrix = new Float64Array(dimensions * dimensions);
  for (let start = 0; start < rows.length; start += dimensions) {
    for (let i = 0; i < dimensions; i += 1) {
      const factor = rows[start + i]!;
      if (factor === 0) continue;
      for (let j = 0; j <= i; j += 1) matrix[i * dimensions + j]! += factor * rows[start + j]!;
    }
  }
  for (let i = 0; i < dimensions; i += 1) {
    for (let j = 0; j < i; j += 1) matrix[j * dimensions + i] = matrix[i * dimensions + j]!;
  }
  return matrix;
}

/** All eigenvalues and, as columns, eigenvectors of a symmetric matrix, which is overwritten. */
export function symmetricEigen(
  matrix: Float64Array,
  n: number,
): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const values = new Float64Array(n);
  const beside = new Float64Array(n);
  tridiagonalise(matrix, n, values, beside);
  diagonalise(matrix, n, values, beside);
  return { values, vectors: matrix };
}

/** tred2: `v` becomes the orthogonal transformation, `d` the diagonal, `e` what stands beside it. */
function tridiagonalise(v: Float64Array, n: number, d: Float64Array, e: Float64Array): void {
  for (let j = 0; j < n; j += 1) d[j] = v[(n - 1) * n + j]!;
  for (let i = n - 1; i > 0; i -= 1) {
    let scale = 0;
    let h = 0;
    for (let k = 0; k < i; k += 1) scale += Math.abs(d[k]!);
    if (scale === 0) {
      e[i] = d[i - 1]!;
      for (let j = 0; j < i; j += 1) {
        d[j] = v[(i - 1) * n + j]!;
        v[i * n + j] = 0;
        v[j * n + i] = 0;
      }
    } else {
      for (let k = 0; k < i; k += 1) {
        d[k]! /= scale;
        h += d[k]! * d[k]!;
      }
      let f = d[i - 1]!;
      let g = f > 0 ? -Math.sqrt(h) : Math.sqrt(h);
      e[i] = scale * g;
      h -= f * g;
      d[i - 1] = f - g;
      for (let j = 0; j < i; j += 1) e[j] = 0;
      for (let j = 0; j < i; j += 1) {
        f = d[j]!;
        v[j * n + i] = f;
        g = e[j]! + v[j * n + j]! * f;
        for (let k = j + 1; k < i; k += 1) {
          g += v[k * n + j]! * d[k]!;
          e[k]! += v[k * n + j]! * f;
        }
        e[j] = g;
      }
      f = 0;
      for (let j = 0; j < i; j += 1) {
        e[j]! /= h;
        f += e[j]! * d[j]!;
      }
      const half = f / (h + h);
      for (let j = 0; j < i; j += 1) e[j]! -= half * d[j]!;
      for (let j = 0; j < i; j += 1) {
        f = d[j]!;
        g = e[j]!;
        for (let k = j; k < i; k += 1) v[k * n + j]! -= f * e[k]! + g * d[k]!;
        d[j] = v[(i - 1) * n + j]!;
        v[i * n + j] = 0;
      }
    }
    d[i] = h;
  }
  for (let i = 0; i < n - 1; i += 1) {
    v[(n - 1) * n + i] = v[i * n + i]!;
    v[i * n + i] = 1;
    const h = d[i + 1]!;
    if (h !== 0) {
      for (let k = 0; k <= i; k += 1) d[k] = v[k * n + i + 1]! / h;
      for (let j = 0; j <= i; j += 1) {
        let g = 0;
        for (let k = 0; k <= i; k += 1) g += v[k * n + i + 1]! * v[k * n + j]!;
        for (let k = 0; k <= i; k += 1) v[k * n + j]! -= g * d[k]!;
      }
    }
    for (let k = 0; k <= i; k += 1) v[k * n + i + 1] = 0;
  }
  for (let j = 0; j < n; j += 1) {
    d[j] = v[(n - 1) * n + j]!;
    v[(n - 1) * n + j] = 0;
  }
  v[n * n - 1] = 1;
  e[0] = 0;
}

/** tql2: `d` becomes the eigenvalues, the columns of `v` the eigenvectors. */
function diagonalise(v: Float64Array, n: number, d: Float64Array, e: Float64Array): void {
  for (let i = 1; i < n; i += 1) e[i - 1] = e[i]!;
  e[n - 1] = 0;
  let shift = 0;
  let largest = 0;
  for (let l = 0; l < n; l += 1) {
    largest = Math.max(largest, Math.abs(d[l]!) + Math.abs(e[l]!));
    let m = l;
    while (m < n - 1 && Math.abs(e[m]!) > Number.EPSILON * largest) m += 1;
    // Each turn cubes the error; some thirty are never reached by finite numbers.
    const turns = m > l ? 100 : 0;
    for (let turn = 0; turn < turns; turn += 1) {
      let g = d[l]!;
      let p = (d[l + 1]! - g) / (2 * e[l]!);
      let r = Math.sqrt(p * p + 1);
      if (p < 0) r = -r;
      d[l] = e[l]! / (p + r);
      d[l + 1] = e[l]! * (p + r);
      const after = d[l + 1]!;
      let h = g - d[l]!;
      for (let i = l + 2; i < n; i += 1) d[i]! -= h;
      shift += h;
      p = d[m]!;
      let [c, c2, c3, s, s2] = [1, 1, 1, 0, 0];
      const beside = e[l + 1]!;
      for (let i = m - 1; i >= l; i -= 1) {
        c3 = c2;
        c2 = c;
        s2 = s;
        g = c * e[i]!;
        h = c * p;
        r = Math.sqrt(p * p + e[i]! * e[i]!);
        e[i + 1] = s * r;
        s = e[i]! / r;
        c = p / r;
        p = c * d[i]! - s * g;
        d[i + 1] = h + s * (c * g + s * d[i]!);
        for (let k = 0; k < n; k += 1) {
          const at = k * n + i;
          h = v[at + 1]!;
          v[at + 1] = s * v[at]! + c * h;
          v[at] = c * v[at]! - s * h;
        }
      }
      p = (-s * s2 * c3 * beside * e[l]!) / after;
      e[l] = s * p;
      d[l] = c * p;
      if (Math.abs(e[l]!) <= Number.EPSILON * largest) break;
    }
    d[l]! += shift;
    e[l] = 0;
  }
}
