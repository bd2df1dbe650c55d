/**
 * Solves A·x = b for a symmetric positive definite A of `size` rows, by Cholesky's decomposition. Only the lower
 * triangle of `matrix` is read, row by row with `stride` values each; it is overwritten, and `vector` becomes x.
 */
export function solve(matrix: Float64Array, stride: number, vector: Float64Array, size: number): void {
  for (let row = 0; row < size; row += 1) {
    const start = row * stride;
    for (let column = 0; column <= row; column += 1) {
      const other = column * stride;
      let sum = matrix[start + column] as number;
      for (let at = 0; at < column; at += 1) sum -= (matrix[start + at] as number) * (matrix[other + at] as number);
      // A value can be non-positive here only by rounding.
      matrix[start + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (matrix[other + column] as number);
    }
  }
  for (let row = 0; row < size; row += 1) {
    let sum = vector[row] as number;
    for (let at = 0; at < row; at += 1) sum -= (matrix[row * stride + at] as number) * (vector[at] as number);
    vector[row] = sum / (matrix[row * stride + row] as number);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = vector[row] as number;
    for (let at = row + 1; at < size; at += 1) sum -= (matrix[at * stride + row] as number) * (vector[at] as number);
    vector[row] = sum / (matrix[row * stride + row] as number);
  }
}
