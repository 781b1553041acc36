const poses = { ':hover': 'hover', ':active': 'active', ':focus-visible': 'focus-visible', ':focus': 'focus' } as const
const posePattern = /:hover|:active|:focus-visible|:focus(?![\w-])/g

const isPose = (name: string): name is keyof typeof poses => Object.hasOwn(poses, name)

export const poseSelector = (selector: string): string =>
  selector.replaceAll(posePattern, (name) => (isPose(name) ? `:is(.pose-${poses[name]} > *)` : name))

export function addPoses(rules: Pick<CSSStyleSheet, 'cssRules' | 'insertRule'>): void {
  for (let at = rules.cssRules.length - 1; at >= 0; at--) {
    const rule = rules.cssRules[at]
    if (rule instanceof CSSStyleRule) {
      const posed = poseSelector(rule.selectorText)
      if (posed !== rule.selectorText)
        rules.insertRule(
          rule.cssText.replace(rule.selectorText, () => posed),
          at + 1,
        )
    } else if (rule instanceof CSSGroupingRule) addPoses(rule)
  }
}
