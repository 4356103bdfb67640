"""Small conversations in each format, of our own words."""

import json
from pathlib import Path

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Grace",
            "session_2_date_time": "9:05 am on 1 June, 2023",
            "session_2": [
                {"speaker": "Grace", "dia_id": "D2:1", "text": "The heron came back to the pond this morning."},
                {
                    "speaker": "Ada",
                    "dia_id": "D2:2",
                    "text": "Look!",
                    "blip_caption": "a photo of a lighthouse",
                    "img_url": ["x"],
                },
            ],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I bought a violin in Prague."},
                {"speaker": "Grace", "dia_id": "D1:2", "text": "My sister teaches chemistry in Oslo."},
            ],
            "session_3_date_time": "1:00 pm on 2 June, 2023",
        },
        "qa": [
            {"question": "Where did Ada buy a violin?", "answer": "Prague", "evidence": ["D1:1"], "category": 4},
            {
                "question": "Does the heron know who teaches in Oslo?",
                "answer": 2,
                "evidence": ["D2:1; D1:02", "D9:9"],
                "category": 1,
            },
            {"question": "When did the heron come?", "answer": "1 June", "evidence": ["D:2:1", "D"], "category": 2},
            {"question": "Which piano did Ada buy?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
        ],
    },
    {
        "sample_id": "conv-2",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Kurt", "dia_id": "D1:1", "text": "Our greenhouse grows only tomatoes."}],
        },
        "qa": [
            {"question": "What grows in the greenhouse?", "answer": "tomatoes", "evidence": ["D1:1"], "category": 4}
        ],
    },
]
BEAM = [
    {
        "chat": 7,
        "messages": [
            {"id": 0, "role": "user", "time": "March-15-2024", "content": "Plan the walrus exhibition."},
            {"id": 1, "role": "assistant", "time": None, "content": "Which hall?"},
            {"id": 2, "role": "user", "time": "March-15-2024", "content": "The northern one."},
            {"id": 3, "role": "user", "time": "April-05-2024", "content": "Now the southern one."},
        ],
        "questions": [
            {
                "kind": "knowledge_update",
                "question": "Which hall?",
                "answer": "southern",
                "gold_message_ids": [2, 3, 99],
            },
            {"kind": "abstention", "question": "Who paid?", "answer": "not said", "gold_message_ids": []},
        ],
    }
]
_TALKS = {
    "s1": ("2023/07/12 (Wed) 10:14", [{"role": "user", "content": "My otter is called Nils.", "has_answer": True}]),
    "s2": ("2023/07/13 (Thu) 10:14", [{"role": "assistant", "content": "Bread needs two hours to rise."}]),
    "s3": ("2023/07/14 (Fri) 10:14", [{"role": "user", "content": "The ferry leaves at nine."}]),
}


def _asked(id_: str, question: str, answers: list[str], haystack: list[str]) -> dict[str, object]:
    return {
        "question_id": id_,
        "question_type": "single-session-user",
        "question": question,
        "answer": "Nils",
        "question_date": "2023/08/01 (Tue) 09:00",
        "answer_session_ids": answers,
        "haystack_session_ids": haystack,
    }


_QUESTIONS = [
    _asked("q1", "What is the otter called?", ["s1"], ["s1", "s2"]),
    _asked("q2_abs", "What is the parrot called?", ["s1"], ["s1", "s2"]),
    _asked("q3", "When does the ferry leave?", ["s3"], ["s3", "s2"]),
]
LONGMEMEVAL = [
    {
        **asked,
        "haystack_dates": [_TALKS[id_][0] for id_ in asked["haystack_session_ids"]],  # type: ignore[attr-defined]
        "haystack_sessions": [_TALKS[id_][1] for id_ in asked["haystack_session_ids"]],  # type: ignore[attr-defined]
    }
    for asked in _QUESTIONS
]
SHARED = {
    "sessions": {id_: {"date": date, "turns": turns} for id_, (date, turns) in _TALKS.items()},
    "questions": _QUESTIONS,
}
XQUAD = [
    {"passage": "The bridge over the Elbe was opened in 1893.", "questions": ["When was the bridge opened?"]},
    {"passage": "Basil and thyme need much sun.", "questions": ["What needs sun?", "Which herbs?"]},
]


def saved(folder: Path, name: str, value: object) -> Path:
    """A file of it, as JSON."""
    file = folder / name
    file.write_text(json.dumps(value), encoding="utf-8")
    return file
