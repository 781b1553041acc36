import { createHash } from 'node:crypto'

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * What `sha256sum --check` reads.
 * @param {{ name: string, digest: string }[]} files
 */
export const checksumLines = (files) =>
  files
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, digest }) => `${digest}  ${name}\n`)
    .join('')
