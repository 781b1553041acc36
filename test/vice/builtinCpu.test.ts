/** The built-in C64's CPU beside x64sc: the same random programs, compared by registers, flags, memory and cycles. */
import { describe } from 'vitest'
import { claims } from '../support/oracle/claims'
import { cpuCase, interruptCase, stolenCase, stolenInterruptCase } from '../support/oracle/cpuCases'
import { interruptSweep, stolenSweep } from '../support/oracle/sweeps'
import { lacks } from '../support/parts'

describe.skipIf(lacks('vice', 'xvfb'))('the CPU of the built-in C64 agrees with x64sc', () => {
  const { agrees, agreesOnAll } = claims()
  agrees('on all opcodes that do not stop it', cpuCase)
  agrees('on interrupts that arrive at any time', interruptCase)
  agreesOnAll('on an interrupt at each cycle of each instruction', interruptSweep)
  agrees('while the VIC-II takes cycles for bad lines and sprites', stolenCase, 5)
  agrees('on interrupts while the VIC-II takes cycles', stolenInterruptCase, 5)
  agreesOnAll('on a bad line at each cycle of each instruction', stolenSweep)
})
