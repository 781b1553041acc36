/** Vitest's set-up of a run: the C64 images that VICE is started with. */
import { assembleAll } from '../../scripts/assemble.mjs'

export default () => assembleAll()
