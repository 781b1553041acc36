/** Vitest's set-up of a project's tests: the build that they start, or read. */
import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../../scripts/lib/setup.mjs'

/** What these read of a build, the ROMs and the list of bundled packages, seldom changes; `npm test` has it renewed before. */
const mayBeOlder = ['unit', 'fuzz']

export default ({ name }: TestProject) => ensureBuilt({ mayBeOlder: mayBeOlder.includes(name) })
