const CORNER_PX = 6

/**
 * Straight along an axis with round corners, in a curve to another column.
 * @param points x, y, x, y …
 * @returns which way the path ends
 */
export function tracePath(context: CanvasRenderingContext2D, points: readonly number[]): readonly [number, number] {
  const at = (place: number): readonly [number, number] => [points[2 * place] ?? 0, points[2 * place + 1] ?? 0]
  const last = points.length / 2 - 1
  const isStraight = ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): boolean =>
    Math.abs(ax - bx) < 0.5 || Math.abs(ay - by) < 0.5
  context.moveTo(...at(0))
  for (let place = 1; place <= last; place++) {
    const [from, to] = [at(place - 1), at(place)]
    if (!isStraight(from, to)) {
      const middle = (from[0] + to[0]) / 2
      context.bezierCurveTo(middle, from[1], middle, to[1], ...to)
    } else if (place < last && isStraight(to, at(place + 1))) context.arcTo(...to, ...at(place + 1), CORNER_PX)
    else context.lineTo(...to)
  }
  const [[fromX, fromY], [toX, toY]] = [at(last - 1), at(last)]
  return Math.abs(fromX - toX) < 0.5 ? [0, Math.sign(toY - fromY)] : [Math.sign(toX - fromX), 0]
}
