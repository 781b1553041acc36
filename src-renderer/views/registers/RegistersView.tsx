import { use, useEffect } from 'react'
import type { ChipId } from '@shared/c64/chips'
import { useFrameWish } from '../../frames/frames'
import { useFrontMachine, useLack } from '../../client/machines'
import { InDebugArrangement } from '../../client/debugArrangement'
import { endMessages } from '../../client/messages'
import { STOP_MESSAGES } from '../../client/stopMessages'
import { NotHere } from '../../client/NotHere'
import type { ViewProps } from '../../client/view'
import { ByteHistory } from './ByteHistory'
import { Checkpoints } from './Checkpoints'
import { chipTitles, ChipTable } from './ChipTable'
import { Cpu } from './Cpu'
import { Interrupts } from './Interrupts'
import { Profile } from './Profile'
import { Section } from './Section'
import { SidVoices } from './SidVoices'
import { Stack } from './Stack'
import { Watches } from './Watches'
import './registers.css'

export function RegistersView({ visible }: ViewProps) {
  const lack = useLack('readMemory')
  return lack === null ? <Registers visible={visible} /> : <NotHere what="registers" why={lack} />
}

function Registers({ visible }: ViewProps) {
  useFrameWish(visible, ['io'])
  const inDebug = use(InDebugArrangement)
  const stop = useFrontMachine()?.stop
  useEffect(() => {
    if (visible && stop) endMessages(STOP_MESSAGES)
  }, [visible, stop])
  const chip = (id: ChipId) => (
    <Section name={id} title={chipTitles[id]}>
      <ChipTable chip={id} visible={visible} />
    </Section>
  )
  const stack = (
    <Section name="stack" title="Stack">
      <div className="stack-room">
        <Stack visible={visible} />
      </div>
    </Section>
  )
  return (
    <div
      className="view-content registers scroll-pane"
      tabIndex={0}
      data-panel-focus
      aria-label="Registers"
      role="group"
    >
      <div className="register-columns">
        <div>
          {inDebug ? (
            stack
          ) : (
            <Section name="cpu" title="CPU">
              <Cpu visible={visible} />
            </Section>
          )}
          <Section name="checkpoints" title="Checkpoints">
            <Checkpoints visible={visible} />
          </Section>
          <Section name="watches" title="Watches">
            <Watches visible={visible} />
          </Section>
          <Section name="byte" title="Byte">
            <ByteHistory visible={visible} />
          </Section>
          {inDebug ? null : stack}
          <Section name="interrupts" title="Interrupts">
            <Interrupts />
          </Section>
          <Section name="profile" title="Profile">
            <Profile />
          </Section>
          {chip('vic')}
        </div>
        <div>
          {chip('cia1')}
          {chip('cia2')}
          <Section name="sid" title={chipTitles.sid}>
            <SidVoices visible={visible} />
            <ChipTable chip="sid" visible={visible} />
          </Section>
        </div>
      </div>
    </div>
  )
}
