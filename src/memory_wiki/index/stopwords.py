"""The commonest words of some languages: evidence of the language a text is in, and noise in a question.

Pure data: lower case, spelt with their accents, and cut at apostrophes.
"""

_WORDS = {
    "en": """a about after again all also always am an and any are as at be because been before being both but by can
        could did do does doing don didn doesn each for from had has have having he her here him his how i if in into
        is isn it its just me more most must my never no nor not of off on once only or other our out over own same
        she should since so some such than that the their them then there these they this those through to too under
        until up upon use very was wasn we were what when where whether which while who whom whose why will with
        without won would you your d ll m re s t ve""",
    "de": """ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bereits bin bis
        bist bitte da dabei damit dann darf das dass dazu dein dem den denn der deren des dessen die dies diese diesem
        diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwa etwas euch euer falls für
        gegen gibt gilt hab habe haben hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
        immer in ist ja je jede jedem jeden jeder jedes jetzt kann kein keine keinen keiner können könnte man mehr mein
        meine mich mir mit muss müssen nach neu nicht nichts nie noch nun nur ob oder ohne sehr sein seine seinem
        seinen seiner seit sich sie sind so sobald soll sollen sollte sondern sonst um und uns unser unsere unter viel
        vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werden wie
        wieder wir wird wo wurde wurden während zu zum zur zwei zwischen über""",
    "fr": """afin ai ainsi alors au aucun aussi autre aux avant avec avoir car ce ceci cela celle celui ces cet cette
        chaque chez ci combien comme comment d dans de depuis des doit doivent donc dont du elle elles en encore entre
        est et eu faire fait faut il ils j jamais je l la laquelle le lequel les leur leurs lors lorsque lui là ma mais
        me mes moi moins mon même n ne ni nos notre nous on ont ou où par parce pas pendant peu peut plus pour pourquoi
        près puis qu quand que quel quelle quelles quels qui quoi s sa sans se selon ses si sinon son sont sous sur ta
        te tes toi ton toujours tous tout toute toutes trop très tu un une vers vos votre vous y à ça était été être""",
    "es": """a al algo alguna algunos antes aquí así aun aunque bajo bien cada casi como con contra cual cuales cuando
        cuál cuáles cuándo cuántas cuánto cuántos cómo de debe deben del desde después donde dos durante dónde e el
        ella ellas ellos en entonces entre era eran es esa ese eso esos esta estaba estas este esto estos está están fue
        fueron ha haber había hace hacer han hasta hay la las le les lo los me mi mientras mis mucho muy más ni no nos
        nosotros nunca o otra otro otros para pero poco por porque pues puede pueden que quien quién qué se sea según
        ser si sido siempre sin sino sobre solo son su sus sí también tan tanto te tiene tienen toda todas todo todos
        tras tu un una uno unos usa usamos y ya yo él""",
    "it": """a abbiamo ad agli ai al alla alle allo anche ancora avere bisogna c che chi ci ciò come con contro cosa
        così cui d da dagli dai dal dalla dalle dallo deve dei del della delle dello degli di dopo dove dov due e ed
        era erano essere fino fra gli ha hanno ho i il in io l la le lei lo loro lui ma mai mentre mi mio molto nei nel
        nella nelle nello negli noi non nostra nostro o ogni oltre per perché però più poi prima può qual quale quali
        quando quanta quante quanti quanto quella quelle quelli quello questa queste questi questo qui se sei senza si
        sia siamo sono sotto stata stati stato su sua sue sugli sui sul sulla sulle suo suoi sì tra tutti tutto un una
        uno usiamo viene vengono è""",
    "pt": """a ainda ao aos apenas após as assim até bem cada com como contra da das de dela dele deles depois desde
        deve devem dessa desse deste do dois dos durante e ela elas ele eles em enquanto entre era eram essa esse esta
        estamos este está estão eu foi foram há isso isto já lhe lá mais mas me menos mesma mesmo minha muito na nas
        nem nessa nesse neste no nos nossa nosso num numa não nós nunca o onde os ou para pela pelas pelo pelos pode
        podem por porque porém pois qual quais quando quanto quantos que quem se seja sem sempre ser será seu seus
        sobre sob somente sua suas são só tem temos ter têm também tinha toda todas todo todos tudo um uma usamos você
        vocês à às é""",
    "nl": """aan achter al alle alleen als altijd andere bent bij daar dan dat de deze die dit doen door dus echter een
        eens en er geen gaan geweest had haar hadden heb hebben heeft hem het hier hij hoe hoeveel hun iets ik in is ja
        je jij jullie kan kunnen maar me meer men met mij mijn mijne moet moeten mag na naar naast niet niets nieuwe
        nog nooit nu of om omdat onder ons onze ook op over reeds sinds sommige te tegen terwijl toch toen tot tussen u
        uit uw van vanaf vanwege veel voor voordat waar waarin waarom wanneer want waren was wat we wel welk welke werd
        werden wie wij wil worden wordt zal ze zelf zich zij zijn zo zoals zonder zou""",
    "sv": """alla att av bara bli blir blev bör dag de dem den denna deras dess dessa det detta dig din dock du där
        därför då efter eftersom ej eller en ett finns fram från får för före första gör ha hade han har hela henne
        hon honom hos hur här hur i igen in inga ingen inget innan inom inte istället ja jag kan kommer kunde man med
        medan mellan men mer mig min mot mycket måste nu när något några någon och också om oss på redan samma samt
        sedan ska skall skulle som så sig sin sina sitt till tills två under upp ut utan vad var vara varför varit
        vara varje vart vem vi vid vilka vilken vilket vill vår vårt åt än är även över""",
    "da": """af aldrig alle alt altid at bare blev blive bliver da de dem den denne der deres derfor det dette dig din
        disse dog du efter ej eller en end er et fik for fordi fra får før ham han har havde hende her hos hun hvad hver
        hvem hver hvilken hvilket hvis hvor hvordan hvorfor hvornår i igen ikke ind ingen intet ja jeg jo kan kom kunne
        lige man mange med meget mellem men mens mere mig min mod må ned nej nogen noget nogle nu når og også om op os
        over på samme sig sin skal skulle som sådan til ud uden under var ved vi vil ville vores være været at år""",
    "no": """alle alltid alt andre at av bare ble bli blir blitt bør da de dem den denne der deres derfor det dette deg
        din disse du eller en enn er et etter fikk for fordi fra få får før gjør ha hadde ham han har hennes her hos hun
        hva hver hvem hvilken hvilket hvis hvor hvordan hvorfor i igjen ikke ingen inn ja jeg kan kom kunne man mange
        med meg mellom men mens mer min mot må ned nei noe noen nå når og også om opp oss over på samme seg sin skal
        skulle slik som så til ut uten under var ved vi vil ville være vært vår å år""",
    "fi": """ei eikä eivät emme en ennen että he hän hänen ilman itse ja jo joiden joka jonka jos jossa jota jotka
        joten jälkeen kaikki kanssa kautta koko koska kuin kuinka kuitenkin kun kuten käytetään me mikä miksi milloin
        missä miten mitä mukaan mutta myös ne niin niiden nyt näin ole olemme oli olisi olla olleet ollut on ovat pitää
        se sekä sen siellä sillä sitten sitä sama tai tämä tämän täytyy tässä vain vaan vaikka voi voidaan välillä
        yli""",
    "pl": """a aby ale albo bardzo bez bo by być był była było były chyba ci co czy czyli dla dlaczego do dwa dzięki
        gdy gdyż gdzie go i ich ile im innych inne ja jak jaka jaki jakie jako je jednak jego jej jest jestem jeszcze
        jeśli już kiedy kilka kto która które którego której który których lub ma mają mi między mnie może można mu
        musi na nad nam nas nasz nic nich nie niego niej niż no o od on ona one oni oraz po pod podczas ponieważ
        ponownie poprzez powinien przed przez przy są się sobie swój ta tak także tam te tego tej ten też to trzeba tu
        tych tylko tym u w we według wszystkie wszystko wtedy z za zawsze ze został została że żeby""",
    "cs": """a aby aj ale ani asi až bez bude budou by byl byla byli bylo byly být co což další dne do dva i ihned jak
        jaká jaké jaký jako jakou je jeho jej její jejich jen jenž ještě jestli ji jich jim jiné již jsem jsme jsou jí
        k kam každý kde kdo kdy když ke kolik která které který kteří ku má mají mezi mi mít mu musí může na nad nám
        nás náš ne nebo nebyl nebyla nebylo není nesmí než nic nové nutné o od on ona oni po pod podle pouze potom
        proč pro proto protože před přes při s se si současně sice své svůj ta tak také takže tam te tedy ten tento této
        to tohoto tom tu tuto ty u už v ve více však všechny vždy z za zde ze že""",
    "hu": """a abban ahol aki akkor ami amikor arra az azok azonban azt által át be benne csak de egy egyik egyéb el
        elég ennek erre ez ezek ezt és fel fog ha hanem hogy hogyan hol ide igen ill ilyen is itt jó kell ki kívül
        között le lehet lesz lett ma már másik még mely meg mert mi miatt mikor milyen mind mindig minden mint mit miért
        mivel most nagyon nem néha nincs ő ők össze pedig s saját sem soha során szerint tehát több új után utolsó van
        vannak vagy vagyok való vele volna volt voltak így úgy""",
    "ro": """a acest aceasta această aceste acestea acestor acum ai al ale am ar are asupra astfel atunci au aș ca care
        ce cea cei cel cele chiar cine cum când cât că către cu da dacă dar de deci decât deja din dintre doar după ea
        ei el ele era este eu fi fie fiecare fost fără în între încă își la le li lor lui mai mult ne nici niciodată noi
        nostru nu o ori pe pentru prin sa sau se sunt să și spre sub te toate tot trebuie tu un una unde unei unele unor
        unui va vor își îl îi""",
    "tr": """acaba ama ancak artık aslında ayrıca bana bazı ben beni bir biz bu bunu bunun burada çok çünkü da daha de
        defa değil diye en eğer gerekir gibi göre hem hep hepsi her hiç için ile ise kadar ki kim kullanıyoruz mi mu mü
        mı nasıl ne neden nerede niçin niye o olan olarak oldu olduğu olmalı olur on ona onu onun önce sonra şey şu
        tarafından tüm var ve veya ya yani yok zaman""",
    "ru": """а без более больше будет бы был была были было быть в вам вас весь во вот все всё всегда вы где да даже
        для до его ее её если есть еще ещё же за зачем здесь и из или им их к каждый как какая какие каких какого какой
        ко когда которая которые который кто куда ли между меня мне много может можно мой мы на над надо нас наш не него
        нее нельзя нет ни никогда них но ну нужно о об один он она они оно от очень перед по под после потом потому
        почему при про раз с сам свой себя сейчас сколько со так также такой там тебя тем теперь то тогда того тоже
        только том тот тут ты у уже хотя чего чем через что чтобы эта эти это этого этой этом этот я""",
    "uk": """а або адже але без би бо був була були було бути в вам вас ви від вже він вона вони воно все всі де для до
        дуже є за завжди зараз з із зі й його її їй їм їх і інші коли кожен які який яка яке між мене мені ми може можна
        на навіщо над нам нас наш не нема немає ні ніколи ну о один по під після перед потім при про та так також такий
        там те тепер ти тільки то тоді того тому треба тут у хоча хто це цей ці ця цього чи чого чому через ще що щоб
        скільки як""",
}  # fmt: skip

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
