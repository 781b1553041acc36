import { beamIn } from '@shared/c64/beam'
import { useFrontMachine } from '../../client/machines'
import { frames, useFrameSummary } from '../../frames/frames'
import { useBeam } from '../../frames/screenOptions'

export function BeamMark() {
  useFrameSummary()
  const isWanted = useBeam()
  const state = useFrontMachine()
  const [line, cycle] = ['LIN', 'CYC'].map((name) => frames.registers.find((register) => register.name === name)?.value)
  const stands = state?.execution === 'paused' || state?.execution === 'jammed'
  if (!isWanted || !stands || state.standard === null || line === undefined || cycle === undefined) return null
  const { x, y } = beamIn(state.standard, line, cycle)
  if (y === null) return null
  const top = `calc((${y + 0.5} - var(--first-line)) / var(--lines) * 100%)`
  return (
    <div className="beam" aria-hidden>
      <div className="beam-line" style={{ top }} />
      {x === null ? null : (
        <div
          className="beam-place"
          style={{ top, left: `calc((${x} - var(--first-column)) / var(--columns) * 100%)` }}
        />
      )}
    </div>
  )
}
