import { sep } from 'node:path'

/**
 * A folder in which git and agents may run: the person trusts the project that it is in. Whoever runs something takes one of these
 * and no plain path; only `requireTrusted` (projects/trust.ts) makes them, and git's own functions for folders next to it.
 */
export class TrustedFolder {
  /** Of the project, links resolved: what relative paths are relative to. */
  readonly root: string
  /** The project, or a folder above it that the person trusts as well. */
  readonly bounds: string
  /** Absolute, links resolved. */
  readonly path: string

  constructor(root: string, path: string, bounds = root) {
    this.root = root
    this.path = path
    this.bounds = bounds
  }

  /** Whether a place, links resolved, lies in what the person trusts. */
  holds(place: string): boolean {
    const { bounds } = this
    return place === bounds || place.startsWith(bounds.endsWith(sep) ? bounds : bounds + sep)
  }
}
