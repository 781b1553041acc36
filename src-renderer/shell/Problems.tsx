import { ChevronDown, ChevronUp } from 'lucide-react'
import { IconButton } from '../widgets/IconButton'
import { Banners } from './Banners'
import { isOfMachine, useLayout } from './layout'
import { StatePanel } from './StatePanel'
import { useStrips } from './strips'

export function Problems() {
  const hasMachine = useLayout((state) => isOfMachine(state, state.current))
  const { ids, isOpen } = useStrips()
  const count = ids.length
  const label = isOpen ? 'Show one line' : count > 1 ? `Show all ${count} problems` : 'Show the whole text'
  return (
    <section className="problems" aria-label="Problems">
      <div className="strips" data-open={isOpen}>
        <Banners />
        {hasMachine ? <StatePanel /> : null}
      </div>
      {count === 0 ? null : (
        <span className="problems-more">
          {count > 1 ? <span className="data">{count}</span> : null}
          <IconButton
            label={label}
            icon={isOpen ? ChevronDown : ChevronUp}
            look="plain"
            pressed={isOpen}
            onClick={() => useStrips.setState({ isOpen: !isOpen })}
          />
        </span>
      )}
    </section>
  )
}
