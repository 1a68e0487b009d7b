import { Comment, Fragment, cloneVNode } from 'vue'
import type { FunctionalComponent, VNode } from 'vue'

const elementsIn = (nodes: readonly VNode[]): readonly VNode[] =>
  nodes.flatMap((node) =>
    node.type === Fragment && Array.isArray(node.children) ? elementsIn(node.children as VNode[]) : [node],
  )

/** The one element of the slot, with the attributes and listeners that it is given here as well. */
export const SlottedElement: FunctionalComponent = (_, { attrs, slots }) => {
  const element = elementsIn(slots['default']?.() ?? []).find(({ type }) => type !== Comment)
  return element && cloneVNode(element, attrs)
}
SlottedElement.inheritAttrs = false
