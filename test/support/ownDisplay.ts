/** Vitest's set-up of each file whose programs open windows: a virtual display of its own, where Xvfb is installed. */
import { afterAll } from 'vitest'
import { startXvfb } from '../../scripts/lib/display.mjs'
import { which } from '../../scripts/lib/process.mjs'

if (process.platform === 'linux' && which('Xvfb') !== undefined) {
  const { environment, stop } = await startXvfb()
  Object.assign(process.env, environment)
  afterAll(stop)
}
