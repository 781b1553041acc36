export interface RgbaImage {
  readonly width: number
  readonly height: number
  /** Four bytes per pixel, row by row. */
  readonly rgba: Uint8Array
}
