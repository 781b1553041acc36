import type { Step } from '../../formats/tuning/actions/steps'

/** What the loop is at: `Applying FIX-1`. */
export function stepLabel({ name, target }: Step): string {
  switch (name) {
    case 'diagnose':
      return 'Diagnosing the skill'
    case 'report':
      return 'Writing the report'
    case 'propose-fixes':
      return 'Proposing fixes'
    case 'select-fixes':
      return 'Choosing fixes'
    case 'apply-fix':
      return `Applying ${target}`
    case 'verify-fix':
      return `Verifying ${target}`
    case 'continue':
      return 'Starting another iteration'
    case 'complete':
      return 'Completing the run'
    case 'abort':
      return 'Aborting the run'
    case 'resume':
      return 'Resuming the run'
  }
}
