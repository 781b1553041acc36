/** Chromium also sends a move, of no distance, for a pointer at rest when the page changes below it. */
export const hasMoved = ({ movementX, movementY }: Pick<MouseEvent, 'movementX' | 'movementY'>): boolean =>
  movementX !== 0 || movementY !== 0
