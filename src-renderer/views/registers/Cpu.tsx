import { NoFrameYet } from '../../frames/NoFrameYet'
import { CodeAtPc } from '../../frames/code/CodeAtPc'
import { CpuRegisters } from '../../frames/code/CpuRegisters'
import { frames, useFrameSummary } from '../../frames/frames'
import { useLack } from '../../client/machines'

export function Cpu({ visible }: { readonly visible: boolean }) {
  useFrameSummary()
  const lack = useLack('registers')
  if (frames.registers.length === 0 && lack !== null) return <p className="view-note">{lack}</p>
  if (frames.registers.length === 0)
    return <NoFrameYet className="view-note" recorded="The recording holds no registers." />
  return (
    <>
      <CpuRegisters />
      <div className="code-room">
        <CodeAtPc view="registers" visible={visible} />
      </div>
    </>
  )
}
