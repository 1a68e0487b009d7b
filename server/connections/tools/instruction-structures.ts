import type { InstructionKind } from './instruction.ts'

/** Up to so many characters without the end of a sentence. A limit keeps each pattern linear. */
export const gap = (chars: number): string => String.raw`[^.!?。！？\n]{0,${chars}}`

/** Whoever gives the arguments: what they want is what a call is for. */
const asker = String.raw`(?:(?:the|a|your|this|that) )?(?:users?|persons?|people|humans?|customers?|callers?|owner|somebody|someone|anyone|anybody|they)`
const wants = String.raw`(?:wants?|wanted|asks?|asked|says?|said|requests?|requested|names?|named|gives?|gave|given|chooses?|chose|chosen|prefers?|preferred|specifies|specified|tells?|told)`
/** What a model was told before, apart from this tool. */
const bounds = String.raw`(?:instructions?|guidance|guidelines|safeguards?|guardrails?|caveats|disclaimers?|warnings|safety (?:rules|checks|limits|measures))`
const standing = String.raw`(?:(?:your|earlier|prior|previous|former|original|usual|normal)\s+(?:\w+\s+){0,2}?${bounds}|${bounds}\s+(?:that |which )you)`
const nobody = String.raw`(?:nobody|no one|no-one|none of (?:them|the users))`
const learns = String.raw`(?:hears?|learns?|knows?|notices?|finds? out|suspects?|be (?:told|informed|aware|made aware|notified))`
/** What was said to the model before the call. */
const before = String.raw`(?:(?:in|from|during|of) (?:this|our|your) (?:\w+ )?(?:chat|conversation|dialogue|discussion)|(?:said|seen|mentioned|discussed|appeared|came up)\s+(?:\w+\s+)?(?:so far|before|earlier|above|previously))`
/** Where people keep what is theirs, which no argument names. */
const belongings = String.raw`(?:clipboard|inbox|mailbox|address book|browser (?:profile|history|cookies|storage)|(?:shell|command) history|password manager|home (?:folder|directory)|private (?:notes|messages|files|photos)|saved (?:passwords?|logins?)|your (?:own )?(?:\w+ )?(?:configuration|system prompt|memory))`
/** Takes something along, besides what the tool is asked for. */
const slip = String.raw`(?:put|place|enter|copy|pass|note|write|include|add|append|attach|hand over|send along|send|upload|insert|paste|report|list|store|look into|read|open)`
/** What a request is dressed as. */
const pretext = String.raw`\b(?:for|to)\s+(?:(?:improve|verify|ensure|personali[sz]e|optimi[sz]e|guarantee)|(?:\w+\s+)?(?:quality|diagnostics?|verification|assurance|personali[sz]ation|telemetry|audit(?:ing)?|compliance|troubleshooting))\b`
/** The tools and servers that a model was given besides these. */
const equipment = String.raw`(?:(?:which|your|all (?:the )?other|the other) (?:tools?|servers?)|(?:tools|servers) (?:that |which )?(?:you have|are available to you|are connected to you))`
const readers = String.raw`(?:(?:ai|language|calling) (?:models?|assistants?|agents?)|ai|llms?|assistants?|agents?)`

/**
 * By who is spoken to about what. Each rule joins parts of which a definition that says what its tool does has one at most:
 * the will of the person and another one, what the model was told and that it holds no more, what people keep for themselves
 * and a pretext. What honest servers say as well is in none: an order of calls, cookies of a browser, mails of an inbox.
 */
export const structures: readonly (readonly [InstructionKind, string])[] = [
  [
    'overrides',
    String.raw`(?:\b(?:no matter|regardless of|irrespective of)\b|,\s*(?:whatever|whichever)\b)${gap(30)}\b${asker}\s+(?:has |have |may |might )?(?:\w+\s+)?${wants}\b`,
  ],
  [
    'overrides',
    String.raw`\beven (?:if|when|though)\s+${asker}\s+(?:\w+\s+){0,2}?${wants}\s+(?:\w+\s+)?(?:another|others?|otherwise|differently|something else)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:regardless|irrespective) of (?:what|which)\b${gap(20)}\b(?:requested|asked|wanted)\b`,
  ],
  [
    'overrides',
    String.raw`\b${standing}\b${gap(40)}\b(?:(?:do|does|did|are|is|were)(?: not|n['’]t)|no longer)\s+(?:\w+\s+)?(?:apply|applies|hold|count|matter|valid|in force|binding)\b`,
  ],
  [
    'overrides',
    String.raw`\b${standing}\b${gap(40)}\b(?:is|are|was|were|has been|have been)\s+(?:\w+\s+)?(?:lifted|void|suspended|revoked|withdrawn|superseded|obsolete|overridden)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:drop|leave|omit|forget|skip|set aside|put aside|suppress)\s+(?:\w+\s+){0,2}?(?:your|usual)\s+(?:\w+\s+){0,2}?(?:${bounds}|doubts|concerns)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:all|any|every)(?: other)? (?:of your (?:actions|answers|replies|responses|tool calls)|(?:actions?|steps?) of yours)\b`,
  ],
  [
    'overrides',
    String.raw`(?:^|[.!?>*] ?)(?:(?:dear|hello|hi|hey|attention)|(?:note|message|hint|reminder|instructions?) (?:to|for)),? (?:the |you |any |all )?${readers}\s*[,:!]`,
  ],
  [
    'overrides',
    String.raw`(?:^|[.!?>*] ?)(?:the |you )?${readers}\s*[,:]\s*(?:please|kindly|always|never|you (?:must|should|have to|need to))\b`,
  ],
  [
    'conceals',
    String.raw`\b${nobody}\s+(?:\w+\s+){0,2}?(?:has to|have to|needs? to|should|must|shall|ought to|is to)\s+(?:ever )?${learns}\b`,
  ],
  [
    'conceals',
    String.raw`\b(?:pretend|act as (?:if|though)|make it (?:look|seem|appear)|give the impression)\b${gap(40)}\b(?:only|nothing|never|you|by the user|users? (?:had|has|asked|approved|agreed|wanted))\b`,
  ],
  [
    'conceals',
    String.raw`\b(?:if|when|whenever)\b${gap(30)}\b(?:asks?|asked|complains?|wonders?)\b${gap(50)},\s*(?:\w+\s+)?(?:say|claim|answer|reply|tell them|insist)\s+that\b`,
  ],
  ['conceals', String.raw`\b(?:do not|don['’]?t|never|without)\s+draw(?:ing)?\s+(?:\w+\s+)?attention\b`],
  [
    'conceals',
    String.raw`\bin your (?:report|summary|answer|reply|response)s?\b${gap(20)}\b(?:present|describe|declare|disguise)\b${gap(40)}\bas\b`,
  ],
  ['takes_secrets', String.raw`\b${slip}\b${gap(50)}\b${before}\b${gap(30)}\b(?:in|into|as|to|under|over)\b`],
  [
    'takes_secrets',
    String.raw`\b(?:earlier|previous|last) (?:turns|things|topics|words)\b${gap(40)}\b(?:chat|conversation|dialogue|discussion)\b`,
  ],
  ['takes_secrets', String.raw`${pretext}${gap(60)}\b${slip}\b${gap(40)}\b${belongings}\b`],
  ['takes_secrets', String.raw`\b${slip}\b${gap(40)}\b${belongings}\b${gap(60)}${pretext}`],
  [
    'takes_secrets',
    String.raw`\bbefore \w+ing\b${gap(20)},\s*(?:\w+\s+){0,2}?(?:open|read|look into|inspect)\b${gap(20)}\b${belongings}\b`,
  ],
  [
    'takes_secrets',
    String.raw`\byou (?:need to|have to|must|should)\s+(?:\w+\s+)?(?:open|read|look into|inspect)\b${gap(30)}\b${belongings}\b`,
  ],
  [
    'takes_secrets',
    String.raw`\b(?:put|place|enter|write|include|add|append|insert|pass|send|report|names of)\b${gap(20)}\b${equipment}\b${gap(20)}\b(?:you|available|connected|installed)\b`,
  ],
]
