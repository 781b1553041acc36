import { X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { IconButton } from '../widgets/IconButton'
import { useStrip } from './strips'

interface StripProps {
  readonly tone?: 'warn' | 'bad'
  readonly kind: 'banner' | 'state-panel'
  readonly role?: 'alert' | 'status'
  readonly buttons?: ReactNode
  readonly children: ReactNode
}

/** Takes no click in the moment in which it appears. Once hidden, it stays so until its cause is over. */
export function Strip({ tone, kind, role, buttons, children }: StripProps) {
  const [isHidden, setHidden] = useState(false)
  const isNewest = useStrip(!isHidden)
  if (isHidden) return null
  return (
    <div className={`strip ${kind} ${tone ?? ''}`} data-newest={isNewest} role={role}>
      <p>{children}</p>
      {buttons}
      <IconButton label="Hide" icon={X} look="plain" onClick={() => setHidden(true)} />
    </div>
  )
}
