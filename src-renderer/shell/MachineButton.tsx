import { ChevronDown } from 'lucide-react'
import { perform } from '../client/actions'
import { useFrontMachine, useFrontName } from '../client/machines'

export function MachineButton() {
  const name = useFrontName()
  const front = useFrontMachine()
  return (
    <button
      type="button"
      className="button machine-button"
      title={[front?.title ?? name, front?.version].filter(Boolean).join(', ')}
      data-panel-focus
      aria-haspopup="dialog"
      onClick={() => perform('machine.choose')}
    >
      <span className="hidden-visually">Machine: </span>
      <strong>{front?.title ?? name}</strong>
      <span className="muted">{front?.version}</span>
      <span className="hidden-visually">. Connect another</span>
      <ChevronDown size={14} aria-hidden />
    </button>
  )
}
