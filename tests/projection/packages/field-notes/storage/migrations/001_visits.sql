create table visits (id text primary key, place text not null);
