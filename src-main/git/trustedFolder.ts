import { sep } from 'node:path'

/**
 * A folder in which git and agents may run: the person trusts the project that it is in. Whoever runs something takes one of these
 * and no plain path; only `requireTrusted` (projects/trust.ts) makes them, and git's own functions for folders next to it.
 */
export class TrustedFolder {
  /** Of the project, links resolved. */
  readonly root: string
  /** Absolute, links resolved. */
  readonly path: string

  constructor(root: string, path: string) {
    this.root = root
    this.path = path
  }

  /** Whether a place, links resolved, lies in the project. */
  holds(place: string): boolean {
    const { root } = this
    return place === root || place.startsWith(root.endsWith(sep) ? root : root + sep)
  }
}
