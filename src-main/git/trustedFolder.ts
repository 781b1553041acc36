import { sep } from 'node:path'

/**
 * Security: git and agents may run in no other kind of folder. Only `requireTrusted` (projects/trust.ts) makes one, and
 * git's own functions for folders next to it.
 */
export class TrustedFolder {
  readonly root: string
  /** The project, or a folder above it that the person trusts as well. */
  readonly bounds: string
  readonly path: string

  constructor(root: string, path: string, bounds = root) {
    this.root = root
    this.path = path
    this.bounds = bounds
  }

  holds(place: string): boolean {
    const { bounds } = this
    return place === bounds || place.startsWith(bounds.endsWith(sep) ? bounds : bounds + sep)
  }
}
