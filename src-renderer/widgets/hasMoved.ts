/** False for the move of no distance that Chromium sends for a pointer at rest when the page changes below it. */
export const hasMoved = ({ movementX, movementY }: Pick<MouseEvent, 'movementX' | 'movementY'>): boolean =>
  movementX !== 0 || movementY !== 0
