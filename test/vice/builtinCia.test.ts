/** The built-in C64's CIAs beside x64sc's, both models: the same programs, what they read and when they are interrupted. */
import { describe } from 'vitest'
import { ciaModels, defaultModels } from '@shared/contract/machine'
import { claims } from '../support/oracle/claims'
import { ciaCase, serialCase } from '../support/oracle/ciaCases'
import { interruptCase } from '../support/oracle/cpuCases'
import { ioCase } from '../support/oracle/ioCases'
import { ciaSweep, interruptSweep } from '../support/oracle/sweeps'
import { lacks } from '../support/parts'

describe.skipIf(lacks('vice', 'xvfb')).each(ciaModels)(
  'the CIAs of the built-in C64, model %s, agree with x64sc',
  (ciaModel) => {
    const { agrees, agreesOnAll } = claims({ ...defaultModels, ciaModel })
    agrees('on programs that set timers, ports and interrupts, and read them', ciaCase)
    agrees('on every instruction that works on a register', ioCase)
    agrees('on bytes that the serial register sends', serialCase)
    agrees('on interrupts that arrive at any time', interruptCase)
    agreesOnAll('on what is read at each cycle after a write', ciaSweep)
    agreesOnAll('on an interrupt at each cycle of each instruction', interruptSweep)
  },
)
