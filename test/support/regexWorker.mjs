/** The worker of regular expressions from its source, so that its tests need no build. */
import './typescript.mjs'

await import('../../src-main/regex/worker.ts')
