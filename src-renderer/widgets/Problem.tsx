import type { Failure } from '@shared/contract/errors'

interface ProblemProps {
  readonly failure: Pick<Failure, 'message' | 'hint'> | null
  readonly className?: string
  readonly id?: string
}

export function Problem({ failure, className = '', id }: ProblemProps) {
  if (failure === null) return null
  return (
    <p className={`problem ${className}`} role="alert" id={id}>
      {failure.message} {failure.hint}
    </p>
  )
}
