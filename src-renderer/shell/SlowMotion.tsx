import { Snail } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { MachineState } from '@shared/contract/machine'
import { ActionButton } from '../client/ActionButton'
import { ChoiceSelect } from '../client/ChoiceSelect'
import { useChosen } from '../client/chosen'
import { attempt } from '../client/messages'
import { runSlowly } from '../client/slowMotion'

export function SlowMotion({ state }: { readonly state: MachineState | undefined }) {
  const isSlow = (state?.slow ?? null) !== null
  const [chosen] = useChosen('registers.slowMotion')
  const applied = useRef(chosen)
  useEffect(() => {
    if (applied.current === chosen) return
    applied.current = chosen
    if (isSlow) attempt(runSlowly)
  }, [chosen, isSlow])
  return (
    <>
      <ActionButton
        id="machine.slowMotion"
        label={isSlow ? 'Full speed' : 'Slow motion'}
        icon={Snail}
        pressed={isSlow}
      />
      <ChoiceSelect choice="registers.slowMotion" className="field slow-motion" />
    </>
  )
}
