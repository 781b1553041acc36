/** Vitest's set-up of each file: random cases are the same in every run of the tests; `npm run fuzz` asks for others. */
import { configureGlobal, readConfigureGlobal } from 'fast-check'

export const seed = Number(process.env['BRIDGEDECK_FUZZ_SEED'] ?? 1)

configureGlobal({ ...readConfigureGlobal(), seed })
