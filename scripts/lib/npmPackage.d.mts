export const packageNode: string
export interface PackedPackage {
  readonly tarball: string
  /** Bytes. */
  readonly size: number
  /** Bytes. */
  readonly unpackedSize: number
  /** Relative, with `/`. */
  readonly files: readonly string[]
}
export function packPackage(folder: string): Promise<PackedPackage>
