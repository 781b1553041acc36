import type { ChipId } from '@shared/c64/chips'
import { useFrameWish } from '../../app/frames'
import type { ViewProps } from '../../app/views'
import { Checkpoints } from './Checkpoints'
import { chipTitles, ChipTable } from './ChipTable'
import { Cpu } from './Cpu'
import { Section } from './Section'
import './registers.css'

const shownChips: readonly ChipId[] = ['vic', 'cia1', 'cia2', 'sid']

/** The CPU with its code and checkpoints, and the registers of all chips in words. */
export function RegistersView({ visible }: ViewProps) {
  useFrameWish(visible, ['io'])
  return (
    <div className="view-content registers" tabIndex={0} data-panel-focus aria-label="Registers" role="group">
      <Section name="cpu" title="CPU">
        <Cpu visible={visible} />
      </Section>
      <Section name="checkpoints" title="Checkpoints">
        <Checkpoints visible={visible} />
      </Section>
      {shownChips.map((chip) => (
        <Section key={chip} name={chip} title={chipTitles[chip]}>
          <ChipTable chip={chip} visible={visible} />
        </Section>
      ))}
    </div>
  )
}
