export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** In the order in which they are tried. */
const corners = ['bottom right', 'bottom left', 'top right', 'top left'] as const
export type Corner = (typeof corners)[number]

function boxIn(corner: Corner, { left, top, right, bottom }: Box, width: number, height: number): Box {
  const x = corner.endsWith('right') ? right - width : left
  const y = corner.startsWith('bottom') ? bottom - height : top
  return { left: x, top: y, right: x + width, bottom: y + height }
}

const areaCovered = (one: Box, other: Box): number =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top))

/**
 * Where every corner covers something in use, the one where toasts of this size cover the least.
 * @param last tried first, as one looks for them there
 */
export function freeCorner(room: Box, width: number, height: number, inUse: readonly Box[], last: Corner): Corner {
  const tried = [last, ...corners.filter((corner) => corner !== last)]
  const covered = tried.map((corner) => {
    const box = boxIn(corner, room, width, height)
    return inUse.reduce((sum, used) => sum + areaCovered(box, used), 0)
  })
  return tried[covered.indexOf(Math.min(...covered))] ?? last
}
