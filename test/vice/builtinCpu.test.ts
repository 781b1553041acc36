/** The built-in C64's CPU beside x64sc: the same random programs, compared by registers, flags, memory and cycles. */
import { describe } from 'vitest'
import { claims } from '../support/oracle/claims'
import { cpuCase, stolenCase } from '../support/oracle/cpuCases'
import { lacks } from '../support/parts'

describe.skipIf(lacks('vice', 'xvfb'))('the CPU of the built-in C64 agrees with x64sc', () => {
  const { agrees } = claims('8521')
  agrees('on all opcodes that do not stop it', cpuCase)
  agrees('while the VIC-II takes cycles for bad lines and sprites', stolenCase, 5)
})
