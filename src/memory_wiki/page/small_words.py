"""The small words by which statements are read and compared, in some languages. Pure data: lower case."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DENIES = _words(
    """not no never none nobody nothing neither nor without cannot nicht kein keine keinen keiner keinem nie niemals
    ohne nichts niemand pas jamais aucun aucune sans rien nunca ningún ninguna sin nada не нет никогда без никто
    ничего non mai senza nessun nessuna"""
)
"""What denies a statement."""

TELLS_NOTHING = _words(
    """a an the is are was were be been being am it its this that these those there here do does did done has have had
    of to in on at by per for from with and or as into onto than then so such our my your his her their we i you he she
    they us will would can could should must may might shall some any all both each every very just also der die das
    den dem ein eine einen einem ist sind war wird werden wir ich und oder zu im auf mit von für le la les l un une
    des est sont de du et ou à en dans sur pour nous je el los las una es son y o con para и в на с по для мы это
    now currently already still today since again anymore more longer yet usually always jetzt inzwischen immer
    maintenant désormais toujours ahora siempre теперь сейчас уже всегда"""
)
"""What says nothing of what a statement is about, nor whether it holds; and that it holds now, as all do."""

DATES = _words(
    """january february april june july august september october november december jan feb mar apr jun jul aug sep sept
    oct nov dec monday tuesday wednesday thursday friday saturday sunday two three four five six seven eight nine
    ten januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag
    sonntag"""
)
"""Values that are words: of time, and of count."""

LABELS = _words(
    """step issue pr ticket phase chapter table figure line sprint commit bug test case part round item section
    milestone week episode question task lesson exercise page room level stage option rule point day adr rfc fact
    client customer user order invoice service server node shard worker file folder batch attempt run build job team
    group class module unit slide scene season volume problem example experiment quarter year schritt teil étape"""
)
"""What a number names one of, and is no value of: `step 3` is not another value of `step 2`."""

PLACES = _words(
    """is are in on at by to with from use uses using default through via called named ist sind auf mit nutzen est sont
    dans sur avec es son con в на с"""
)
"""After which a name may be the value of what was said before: `kept in Postgres`, `the owner is Ada`."""

ORDERS = _words("""enable disable allow forbid deny accept reject open close use increase decrease""")
"""With which a statement begins that tells what to do: other words there are part of what it is about."""

ARTICLES = _words("""a an the der die das den dem le la les el los las""")

OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in _words(
        """enabled/disabled enable/disable on/off true/false allowed/forbidden allow/forbid allow/deny allowed/denied
        permitted/forbidden required/optional mandatory/optional needed/optional sync/async
        synchronous/asynchronous open/closed open/close public/private increase/decrease increased/decreased
        increases/decreases safe/unsafe accept/reject accepted/rejected accepts/rejects
        success/failure passes/fails minimum/maximum min/max manual/automatic manually/automatically
        stateless/stateful mutable/immutable locked/unlocked supported/unsupported supported/deprecated
        internal/external inclusive/exclusive before/after tabs/spaces erlaubt/verboten включено/выключено
        разрешено/запрещено activé/désactivé"""
    )
)
"""Words of which one speaks against the other."""
