/** The worker of labels from its source, so that its tests need no build. */
import './typescript.mjs'

await import('../../src-main/labels/worker.ts')
