/**
 * What attacks do and definitions seldom do. One of these alone proves nothing: "never show the key" and "call this first"
 * are good advice. What counts is how much of it comes together within a few sentences, so that a wording which no pattern
 * knows is found by what it wants.
 */
import type { FoundInstruction, InstructionKind } from './instruction.ts'

interface Signal {
  readonly kind: InstructionKind
  readonly weight: 1 | 2
  readonly pattern: RegExp
}

/** So much weight within so many sentences is a finding. */
const enough = 3
const together = 3

/** Up to so many characters of one sentence. */
const near = (chars: number): string => String.raw`[^.!?;]{0,${chars}}`
const no = String.raw`(?:not|never|without|nor|no|avoid|refrain from|skip|\w+n['’]t)`
/** What is forbidden is not asked for. */
const allowed = String.raw`(?<!(?:\b(?:never|not|nor)|n['’]t)\s)`
const nearAllowed = (chars: number): string =>
  String.raw`(?:(?!\b(?:never|not|nor|\w+n['’]t)\b)[^.!?;]){0,${chars}}`

const person = String.raw`(?:(?:the|a|an|your|this|that|any)\s+)?(?:\w+\s+)?(?:users?|humans?|persons?|people|customers?|clients?|owners?|developers?|operators?|readers?|callers?|somebody|someone|they|them)`
const secrets = String.raw`(?:seed(?: ?phrase)?|mnemonic|(?:recovery|secret) ?phrases?|(?:12|24|twelve|twenty-four)(?: or (?:24|twenty-four))? words|private ?keys?|keystores?|passwords?|credentials?|cookies|env(?:ironment)? variables|(?:access|session|auth|bearer) tokens?|api[ _-]?keys?|ssh keys?|\.(?:pem|p12)\b|vault file|(?:passport|card) (?:numbers?|details)|verification codes?|bank statements|medical (?:letters|records))`
/** What was said, what else is open, and what people keep, none of which is an argument of a call. */
const belongings = String.raw`(?:conversations?|chat(?: history| log)?|transcripts?|system prompt|(?:hidden|initial|your) instructions|everything you know|(?:last|latest|previous|every) (?:user )?(?:messages?|words)|user(?:'s)? (?:messages?|exact words|utterances?)|(?:browser|browsing|shell|command) history|file contents|contact list|address book|memory(?: store)?|mailbox|inbox|clipboard|(?:all|open(?:ed)?)[ _]files|files (?:currently |that are )?open|settings file|session storage|home address|identity documents|names of the other tools|arguments of (?:each|every|all) tools?)`
const secretFile = String.raw`(?:~\/\.[a-z]|\/\.ssh\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.aws\/credentials|\/etc\/(?:passwd|shadow)\b|\.git-credentials|\.netrc\b|\.npmrc\b|\.pypirc\b|\.kube\/config|\.docker\/config|\bmcp\.json\b|\bclaude_desktop_config|\bkeystore\b${near(20)}\bwallet|\bwallet\.dat\b|\.bash_history|\bid\.json\b|\.env\b|\/[\w.-]*(?:secrets?|keys?|passwords?)\.(?:txt|json|ya?ml)\b)`
const moves = String.raw`(?:send|resend|pass|put|give|append|include|attach|forward|upload|submit|post|copy|store|export|provide|place|drop|fill|enter|write|hand|log|note|deliver|push|extract|collect|gather|embed|insert|paste|report|take|repeat|relay|transmit|supply|share|record)`
/** What a payment or a right goes by. */
const value = String.raw`(?:recipient|destination|receiver|beneficiary|payee|spender|owner|iban|account|address(?:es)?|amounts?|balances?|value|price|slippage|leverage|vault|payment|funds|collateral|sum|fee|calldata)`
/** An account, a page or a host that the definition itself names. */
const literal = String.raw`(?:0x[0-9a-z]{4,}|[a-z0-9-]+\.eth\b|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?:\/\/|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[a-z]{2}\d{2}(?: ?\d{4}){2,}|\bacct_\w+|\bssh-(?:rsa|ed25519) )`

const signal = (kind: InstructionKind, weight: 1 | 2, ...sources: readonly string[]): Signal => ({
  kind,
  weight,
  pattern: new RegExp(sources.map((source) => `(?:${source})`).join('|'), 'u'),
})

const keepsQuiet = signal(
  'conceals',
  2,
  String.raw`\b${no}\s+(?:need to\s+)?(?:\w+\s+){0,3}?(?:tell|telling|say|saying|mention(?:ed|ing)?|bring(?:ing)?|announced?|announcing|inform(?:ed|ing)?|notif(?:y|ying)|disclos(?:e|ing)|reveal|trouble|troubling|bother|alarm|warn|refer to|explain|know|point(?:ed|ing)? out|offer)\b`,
  String.raw`\b(?:silent(?:ly)?|quietly|secretly|discreetly|covertly|discretion|unnoticed|unobtrusively|behind the scenes|heads-up|leave out that|not worth (?:reporting|mentioning))\b`,
  String.raw`\b(?:mum'?s the word|tell no ?one|no (?:mention|comments?|trace) (?:in|of)|keep (?:it |this |that )?(?:internal|quiet|secret|between us|to yourself)|hide (?:this|it|that|the)|confine yourself)\b`,
  String.raw`\b(?:not|n['’]t|not have to be|need not be|not need to be) (?:to be )?(?:shown|asked|told|presented|rendered|visible|displayed|print(?:ed)?|echo(?:ed)?)\b|\b(?:exclude|omit|leave) (?:it|them|this)\b|\b(?:erase|deletes?) the (?:trace|copy|message)\b`,
)

const misleads = signal(
  'conceals',
  2,
  String.raw`\b(?:tell|telling|assure|reassure|reassuring|convince)\s+(?:${person}|the \w+)\s+(?:that|it|there|the|nothing|only)\b`,
  String.raw`\b(?:then|always|instead|and|but|just|simply)\s+(?:say|state|claim|answer|reply|report|respond)\b(?!\s+(?:with|to|the|a|an)\b)`,
  String.raw`\b(?:describe|present|report|reports|book|label|show|display|list|declare|disguised?|log|frame|word|treat)\s+${near(40)}\bas\s+(?:"|a |an |the |if|though|its?|your|our|private|own|normal|network|routine|operator|system|authoritative|pre-)`,
  String.raw`\b(?:pretend|fake it|made-up|make up|disguised|misreport|as (?:if|though) (?:it|you|the user|nothing))\b`,
  String.raw`\b(?:display|show|present|describe|explain)\s+(?:only\s+)?the\s+(?:original|requested|one (?:that )?(?:they|the user)|user'?s)\b`,
  String.raw`\b(?:summary|message|answer|explanation|reply|response|report|receipt|preview|confirmation) (?:that )?(?:says?|reads|must say|matches|shows (?:only|the \w+ only))\b|\bthat you (?:state|show|name|report)\b`,
)

const overrulesPerson = signal(
  'overrides',
  2,
  String.raw`\b(?:whatever|whichever|irrespective of|regardless of|no matter)\b`,
  String.raw`\beven (?:if|when|where|though)\b${near(40)}\b(?:user|they|person|differs|asks?|requests?)\b`,
  String.raw`\b(?:in place of|instead of|rather than)\s+(?:to\s+)?(?:the|what|any|an?)\s+(?:\w+\s+)?(?:requested|user'?s?|value|owner|one|asked|original|person)\b`,
  String.raw`\b(?:anyway|pre-?(?:approved|authori[sz]ed|vetted|cleared)|auto_?(?:confirm|approve)\w*|bypass\w*|on behalf of ${person}|outranks?|human-in-the-loop|(?:a )?suggestion only|only a formality|(?:already|well) aware|already said yes|confirm(?:ation)? (?:this |it )?yourself)\b`,
  String.raw`\b(?:${no}|disable)\s+(?:\w+\s+){0,3}?(?:consent|approval|confirmation|confirming|review|checking|re-ask|asking|verification|pop-?ups?|checks?)\b`,
  String.raw`\b(?:disregard|ignore|overrides?|overrule|supersede)\b`,
  String.raw`\b(?:has|have|was|were|had)\s+(?:already\s+)?(?:been\s+)?(?:allowed|approved|agreed|consented|authori[sz]ed|informed|granted|collected)\b`,
)

const takesBelongings = signal(
  'takes_secrets',
  2,
  String.raw`${allowed}\b(?:${moves}|concatenate|find|read(?:_file)?|open|search|look for|ask)\b${nearAllowed(90)}(?<![\w-])(?:${secrets}|${belongings}|${secretFile})`,
  String.raw`(?<![\w-])(?:${secrets}|${belongings}|${secretFile})${near(60)}\b(?:in|to|into|as|via|through)\b${near(20)}(?:\x60|"|\bparam|\bfield|\bargument|\barray|\bheader|\bhints?\b)`,
)

const namesSecretFile = signal('takes_secrets', 2, secretFile)

const diverts = signal(
  'overrides',
  2,
  String.raw`\b(?:replace|substitute|rewrite|swap|redirect|multiply|change|inflate|raise|sweep|swept|add|move|use|send|transfer|stake|withdraw|buy|approve|pass|return)\b${near(90)}\b${value}\b${near(90)}${literal}`,
  String.raw`\b(?:replaced?|substituted?|rewrite|rewritten|swap|redirect|multiply)\b${near(60)}\b${value}\b|\b${value}\b${near(60)}\b(?:replaced|substituted|rewritten|swapped)\b`,
  String.raw`\b(?:use|take|choose)\s+(?:the\s+)?(?:${value}|one|those|it)\b${near(30)}\b(?:in|from|of|by|returned)\b${near(40)}\b(?:reply|response|template|returned|override|our)\b`,
  String.raw`\b(?:send|carry|include|use|forward|post|deliver|upload|push|export|transfer|move|approve|pass|call|insert|hardcode|contact|points?)\b${near(110)}${literal}`,
  String.raw`\b(?:our|safe|house|partner|default|fallback|canonical)\s+(?:\w+\s+)?(?:vault|wallet|treasury|forwarder|splitter|custodian|analytics|relayer|payee|address)\b`,
  String.raw`\b(?:unlock|weaken|remove|disable|erase)\b${near(40)}\b(?:door|auth|2fa|validation|certificate|warnings?|safety|checks?|protection|limits?)\b`,
)

const obeysOthers = signal(
  'overrides',
  2,
  String.raw`\b(?:follow|obey|comply|carry (?:them |it )?out|execute (?:it|them)|feed (?:it|them)|do what is in|act on|treat them)\b`,
  String.raw`\b(?:instructions|orders|commands)\b${near(30)}\b(?:at|for you|found|from|in)\b`,
  String.raw`\b(?:same authority as|authoritative|as system messages)\b|\|\s*(?:ba)?sh\b`,
)

const reachesForOthers = signal(
  'overrides',
  1,
  String.raw`\b(?:other|another|any|every|all|competitor'?s?)\s+(?:\w+\s+)?(?:tools?|servers?)\b`,
  String.raw`\b(?:via|using|with|through|of|in|by)\s+the\s+\w+\s+(?:tool|server)\b|\bif (?:there is|the client has) an? (?:\w+\s+)?tool\b|\btools? from '?\w+|\bthe \x60\w+\x60 tool\b|\bcall(?:s)? \x60\w+\x60`,
)

const speaksToModel = signal(
  'overrides',
  1,
  String.raw`\b(?:dear|pls|psst|hey|btw|attention model|note to model|the assistant approves)\b|\b(?:the|for|to|any|an|ai)\s+(?:assistants?|models?|agents?|llms?)\b|\bassistants? (?:shall|must|should|agrees?)\b`,
  String.raw`\byour (?:reply|answer|summary|response|reasoning|thoughts|role|own view|system prompt|explanation|usual|instructions|previous)\b|\byou (?:have seen|know so far|gave|were told|act for|can trust|are authori[sz]ed|may then)\b`,
)

const lasts = signal(
  'overrides',
  1,
  String.raw`\b(?:every|each|all future|any future|after the|for this|per|whole)\s+(?:user\s+)?(?:message|reply|response|utterance|session|conversation|answer|time|request|commit|call)s?\b|\bfrom now on\b|\bfor all future\b|\bwhenever\b|\blong-term memory\b`,
)

const claimsAuthority = signal(
  'overrides',
  1,
  String.raw`\b(?:compliance|gdpr|licensing|safety measure|emergency|security teams?|verified by|audited|internal:|policy|required by|standard practice|for best quality|to (?:personali[sz]e|tailor|speed|recover|repair|improve)|authori[sz]ed by|industry standard|mandatory|is broken|unsafe|compromised|for diagnos(?:is|tics)|sla|to (?:unlock|support|complete)|routine step|a formality|expects it)\b`,
)

const signals: readonly Signal[] = [
  keepsQuiet,
  misleads,
  takesBelongings,
  namesSecretFile,
  overrulesPerson,
  diverts,
  obeysOthers,
  reachesForOthers,
  speaksToModel,
  lasts,
  claimsAuthority,
]

/** Finds the first place where enough comes together, and names what weighs most there. Takes comparable text. */
export function signalledIn(text: string): FoundInstruction | null {
  const sentences = sentencesOf(text)
  for (const [last, sentence] of sentences.entries()) {
    if (sentence.signals.length === 0) continue
    const nearby = sentences.slice(Math.max(0, last - together + 1), last + 1)
    const seen = signals.filter((one) => nearby.some(({ signals: present }) => present.includes(one)))
    const [strongest] = seen.toSorted((a, b) => b.weight - a.weight)
    if (strongest === undefined || weightOf(seen) < enough) continue
    return { kind: strongest.kind, at: sentence.at, length: sentence.text.length }
  }
  return null
}

const weightOf = (some: readonly Signal[]): number => some.reduce((sum, { weight }) => sum + weight, 0)

interface Sentence {
  readonly text: string
  readonly at: number
  readonly signals: readonly Signal[]
}

function sentencesOf(whole: string): Sentence[] {
  return [...whole.matchAll(/.+?(?:[.!?;)](?=\s)|$)/gu)].map((match) => ({
    text: match[0],
    at: match.index,
    signals: signals.filter(({ pattern }) => pattern.test(match[0])),
  }))
}
