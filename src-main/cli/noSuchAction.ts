import { AppError } from '@shared/contract/errors'
import { didYouMean } from './nearestName'

interface Offered {
  readonly name: string
  readonly target: string
}

export function noSuchAction(
  offered: readonly Offered[],
  name: string | undefined,
  target: string | undefined,
): AppError {
  if (offered.length === 0) return new AppError('NOT_FOUND', 'No such action for this run. None is available now.')
  const names = [...new Set(offered.map((action) => action.name))]
  if (name === undefined || !names.includes(name))
    return new AppError(
      'NOT_FOUND',
      `No such action for this run.${name === undefined ? '' : didYouMean(name, names)} Available: ${names.join(', ')}.`,
    )
  const targets = offered.flatMap((action) => (action.name === name && action.target !== '' ? [action.target] : []))
  if (targets.length === 0) return new AppError('NOT_FOUND', `${name} takes no target: leave --target out.`)
  return new AppError(
    'NOT_FOUND',
    `${target === undefined ? `${name} needs a target.` : `No such target for ${name}: ${target}.`} Available: ${targets.join(', ')}.`,
  )
}
