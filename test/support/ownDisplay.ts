/** Vitest's set-up of each file whose programs open windows: where Xvfb is installed, a virtual display of the worker's own. */
import { workerDisplay } from './workerDisplay'

Object.assign(process.env, await workerDisplay())
