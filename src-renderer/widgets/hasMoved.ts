/**
 * Whether the pointer itself moved. Chromium also sends a move, of no distance, for a pointer at rest when the page
 * changes below it; the keyboard may have gone elsewhere by then.
 */
export const hasMoved = ({ movementX, movementY }: Pick<MouseEvent, 'movementX' | 'movementY'>): boolean =>
  movementX !== 0 || movementY !== 0
