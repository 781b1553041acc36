import { X } from 'lucide-react'
import { formatAddress } from '@shared/c64/address'
import { referencesTo, type Runs } from '@shared/c64/codeListing'
import type { Names } from '@shared/c64/labels/names'
import { IconButton } from '../../../widgets/IconButton'
import { visibleText } from '../../../widgets/visibleText'

const MAX_REFERENCES = 100

interface ReferencesProps {
  readonly address: number
  readonly read: (address: number) => number
  readonly runs: Runs
  readonly names: Names
  readonly onGo: (address: number) => void
  readonly onClose: () => void
}

export function References({ address, read, runs, names, onGo, onClose }: ReferencesProps) {
  const found = referencesTo(read, runs, address, MAX_REFERENCES)
  return (
    <section
      className="references"
      aria-label={`What names ${formatAddress(address)}`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <header>
        <strong>
          {found.length === 0 ? 'Nothing names' : 'Named by'} <span className="data">{formatAddress(address)}</span>
        </strong>
        <IconButton label="Close the list" icon={X} look="plain" onClick={onClose} />
      </header>
      <ul>
        {found.map(({ line, kind }) => (
          <li key={line.address} className={line.kind}>
            <button type="button" onClick={() => onGo(line.address)}>
              <span className="data">{formatAddress(line.address)}</span> {kind}{' '}
              <span className="data">{line.text}</span>{' '}
              <span className="muted">{visibleText(names.at(line.address)?.name ?? '')}</span>
              {runs !== null && line.kind === 'guess' ? <span className="muted"> not seen run</span> : null}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
