import { useImperativeHandle, useRef, type Ref } from 'react'
import { setText } from '../widgets/setText'
import { showInMemory } from './memoryCursor'
import './factList.css'

interface Fact {
  readonly label: string
  readonly text: string
  readonly address?: number
}

export interface FactListHandle {
  show(facts: readonly Fact[]): void
}

interface FactListProps {
  readonly ref: Ref<FactListHandle>
  readonly label: string
  readonly rows: number
}

/** Filled through its handle, never by a render, as the values change with the machine. */
export function FactList({ ref, label, rows }: FactListProps) {
  const list = useRef<HTMLDListElement>(null)
  useImperativeHandle(ref, () => ({ show: (facts) => fill(list.current, facts) }), [])
  return (
    <dl ref={list} className="fact-list" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} hidden>
          <dt />
          <dd className="data">
            <span />
            <button
              type="button"
              className="text-link"
              title="Show in memory"
              hidden
              onClick={({ currentTarget }) => showInMemory(Number(currentTarget.value))}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function fill(list: HTMLDListElement | null, facts: readonly Fact[]): void {
  list?.querySelectorAll<HTMLElement>(':scope > div').forEach((row, index) => {
    const fact = facts[index]
    row.hidden = fact === undefined
    const [name, text, link] = [row.querySelector('dt'), row.querySelector('span'), row.querySelector('button')]
    if (!fact || !name || !text || !link) return
    const isLink = fact.address !== undefined
    setText(name, fact.label)
    setText(text, isLink ? '' : fact.text)
    setText(link, isLink ? fact.text : '')
    link.hidden = !isLink
    link.value = String(fact.address ?? '')
  })
}
