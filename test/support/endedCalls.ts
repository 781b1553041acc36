/** Vitest's set-up of each file: a call of the command line that it leaves running fails that file, not one after it. */
import { afterAll } from 'vitest'
import { endRunningCalls } from './runningCalls'

afterAll(endRunningCalls)
